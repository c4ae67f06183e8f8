package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// trim removes the line tables from a program in place: it zeroes bytes and moves none.
func trim(program []byte) error {
	m, err := memoryOf(program)
	if err != nil {
		return err
	}
	at := bytes.Index(m.bytes, magic)
	if at < 0 {
		return errors.New("it has no table of functions as Go 1.20 to 1.26 write them: read internal/abi and runtime/symtab.go of the Go that linked it, and mend this program or leave it out of the build")
	}
	t, err := tableAt(m.bytes, at)
	if err != nil {
		return err
	}
	if err := t.dropLines(); err != nil {
		return err
	}
	m.writeBack(program)
	return nil
}

// memory is the initial linear memory of a program. Linkers leave out zeros, so the file holds it in pieces.
type memory struct {
	bytes  []byte
	pieces []piece
}

// piece says where in the file a part of the memory is.
type piece struct{ file, memory, length int }

// mostMemory limits the size of the memory, in bytes.
const mostMemory = 256 << 20

var errCut = errors.New("it is no whole WebAssembly program")

// memoryOf reads the data section (WebAssembly 1.0, binary format, 5.5.14).
func memoryOf(program []byte) (*memory, error) {
	if !bytes.HasPrefix(program, []byte("\x00asm\x01\x00\x00\x00")) {
		return nil, errCut
	}
	const dataSection, i32Const, end = 11, 0x41, 0x0b
	r := &reader{data: program, at: 8}
	m := new(memory)
	for r.at < len(program) && !r.cut {
		id, size := r.octet(), r.unsigned()
		if id != dataSection {
			r.skip(size)
			continue
		}
		for count := r.unsigned(); count > 0 && !r.cut; count-- {
			mode, op, offset, last, length := r.octet(), r.octet(), r.signed(), r.octet(), 0
			if length = r.unsigned(); mode != 0 || op != i32Const || last != end || offset < 0 || offset+length > mostMemory {
				return nil, errors.New("its data is not placed as Go places it")
			}
			m.pieces = append(m.pieces, piece{r.at, offset, length})
			r.skip(length)
		}
	}
	if r.cut {
		return nil, errCut
	}
	for _, p := range m.pieces {
		if need := p.memory + p.length; need > len(m.bytes) {
			m.bytes = append(m.bytes, make([]byte, need-len(m.bytes))...)
		}
		copy(m.bytes[p.memory:], program[p.file:p.file+p.length])
	}
	return m, nil
}

func (m *memory) writeBack(program []byte) {
	for _, p := range m.pieces {
		copy(program[p.file:p.file+p.length], m.bytes[p.memory:])
	}
}

// reader reads numbers of the binary format; cut reports that it ran past the end.
type reader struct {
	data []byte
	at   int
	cut  bool
}

func (r *reader) octet() byte {
	if r.at >= len(r.data) {
		r.cut = true
		return 0
	}
	r.at++
	return r.data[r.at-1]
}

func (r *reader) skip(n int) {
	if n > len(r.data)-r.at {
		r.cut, n = true, len(r.data)-r.at
	}
	r.at += n
}

// unsigned and signed read LEB128 numbers of at most 32 bits.
func (r *reader) unsigned() int {
	n, shift := 0, 0
	for {
		b := r.octet()
		n |= int(b&0x7f) << shift
		if shift += 7; b < 0x80 || shift > 28 {
			return n
		}
	}
}

func (r *reader) signed() int {
	from := r.at
	n := r.unsigned()
	if bits := 7 * (r.at - from); 0 < bits && bits < 32 && n&(1<<(bits-1)) != 0 {
		return n - 1<<bits
	}
	return int(int32(uint32(n))) //nolint:gosec // two's complement of 32 bits
}

// magic is the start of the table of functions, pclntab (internal/abi, Go120PCLnTabMagic): then two zeros, the minimum
// size of an instruction, and the size of a pointer.
var magic = []byte("\xf1\xff\xff\xff\x00\x00\x01\x08")

// table is a pclntab as described by runtime.pcHeader, with the offsets of its parts in the memory.
type table struct {
	bytes          []byte
	functions      int
	files          int // the names of source files, and the index by package; ends at tables
	tables, tabEnd int // data about each instruction, by offsets from tables
	list           int // of functions
}

func tableAt(memory []byte, at int) (*table, error) {
	var head [8]int // from nfunc on
	if at+8+8*len(head) > len(memory) {
		return nil, errCut
	}
	for i := range head {
		head[i] = int(binary.LittleEndian.Uint32(memory[at+8+8*i:]))
	}
	t := &table{memory, head[0], at + head[4], at + head[6], at + head[7], at + head[7]}
	if t.files > t.tables || t.tables > t.tabEnd || t.list+8*t.functions > len(memory) {
		return nil, errors.New("its table of functions is not whole")
	}
	return t, nil
}

func (t *table) word(at int) int { return int(binary.LittleEndian.Uint32(t.bytes[at:])) }
func (t *table) drop(at int)     { binary.LittleEndian.PutUint32(t.bytes[at:], 0) }

// Offsets of the fields of runtime._func, in bytes.
const (
	spTable    = 16
	fileTable  = 20
	lineTable  = 24
	numTables  = 28 // number of further tables
	startLine  = 36
	moreTables = 44
)

// dropLines sets the start line and the offsets of the file and line tables of each function to 0, which the runtime
// takes for "none". It wipes what no function uses any more, including the names of files.
func (t *table) dropLines() error {
	clear(t.bytes[t.files:t.tables])
	kept, dropped := map[int]bool{}, map[int]bool{}
	for i := range t.functions {
		f := t.list + t.word(t.list+8*i+4)
		if f+moreTables > len(t.bytes) || f+moreTables+4*t.word(f+numTables) > len(t.bytes) {
			return fmt.Errorf("its function %d is not whole", i)
		}
		kept[t.word(f+spTable)] = true
		for k := range t.word(f + numTables) {
			kept[t.word(f+moreTables+4*k)] = true
		}
		dropped[t.word(f+fileTable)], dropped[t.word(f+lineTable)] = true, true
		t.drop(f + fileTable)
		t.drop(f + lineTable)
		t.drop(f + startLine)
	}
	var all []int
	for _, set := range []map[int]bool{kept, dropped} {
		for at := range set {
			all = append(all, at)
		}
	}
	slices.Sort(all)
	all = append(slices.Compact(all), t.tabEnd-t.tables)
	for i, at := range all[:len(all)-1] {
		if next := all[i+1]; dropped[at] && !kept[at] && t.tables+next <= t.tabEnd {
			clear(t.bytes[t.tables+at : t.tables+next])
		}
	}
	return nil
}
