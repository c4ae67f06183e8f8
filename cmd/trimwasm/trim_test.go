package main

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

// linked returns a program with two functions, laid out as Go does it. Its data is in two pieces; the first lies before
// the tables. Table 1 has lines, 3 a file, 5 both stack and lines, 7 data for the collector; the name of a file
// precedes them.
func linked() (program, tables []byte) {
	const file = "map.go"
	tables = []byte{0, 9, 0, 8, 0, 7, 0, 6, 0}
	word := binary.LittleEndian.AppendUint32
	function := func(line uint32) []byte {
		var f []byte
		for _, v := range []uint32{0, 0, 0, 0, 5, 3, line, 1, 0, 41, 0, 7} {
			f = word(f, v)
		}
		return f
	}
	var funcs []byte
	for i, f := range [][]byte{function(1), function(5)} {
		funcs = append(word(word(funcs, uint32(i)), uint32(16+i*len(f))), f...)
	}
	list := slices.Concat(funcs[:8], funcs[56:64], funcs[8:56], funcs[64:])
	head := slices.Clone(magic)
	for _, v := range []uint32{2, 1, 0, 72, 72, 72, uint32(72 + len(file)), uint32(72 + len(file) + len(tables))} {
		head = word(word(head, v), 0)
	}
	memory := slices.Concat(head, []byte(file), tables, list)
	pieces := []byte{2, 0, 0x41, 0, 0x0b, 3, 1, 2, 3, 0, 0x41, 0x80, 0x01, 0x0b}
	pieces = append(binary.AppendUvarint(pieces, uint64(len(memory))), memory...)
	program = append([]byte("\x00asm\x01\x00\x00\x00"), 1, 1, 0)
	program = append(binary.AppendUvarint(append(program, 11), uint64(len(pieces))), pieces...)
	return program, tables
}

// TestLinesGoAndAllElseStays checks that line and file tables are wiped, except those used for something else too.
func TestLinesGoAndAllElseStays(t *testing.T) {
	program, tables := linked()
	whole := slices.Clone(program)
	if err := trim(program); err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(whole, tables)
	if got, want := program[at:at+len(tables)], []byte{0, 0, 0, 0, 0, 7, 0, 6, 0}; !bytes.Equal(got, want) {
		t.Errorf("of the tables %v is left, want %v", got, want)
	}
	list := program[at+len(tables)+16:]
	for i := range 2 {
		f := list[48*i:]
		if got, want := [4]uint32{word(f[16:]), word(f[20:]), word(f[24:]), word(f[36:])}, [4]uint32{5}; got != want {
			t.Errorf("function %d has tables and a line %v, want %v", i, got, want)
		}
	}
	if name := len("map.go"); !bytes.Equal(program[at-name:at], make([]byte, name)) {
		t.Errorf("of the name of a file %q is left", program[at-name:at])
	} else if !bytes.Equal(program[:at-name], whole[:at-name]) || len(program) != len(whole) {
		t.Error("something else of the program has changed")
	}
}

func word(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }

// TestOtherFilesAreRefused checks that truncated or foreign programs and other files are errors, not panics.
func TestOtherFilesAreRefused(t *testing.T) {
	program, _ := linked()
	for n := range len(program) - 1 {
		if err := trim(slices.Clone(program[:n])); err == nil {
			t.Errorf("the first %d of %d bytes are taken for a program", n, len(program))
		}
	}
	other, _ := linked()
	other[bytes.Index(other, magic)]++
	if err := trim(other); err == nil || !strings.Contains(err.Error(), "no table of functions") {
		t.Errorf("a program of another Go: %v", err)
	}
	if err := trim([]byte("#!/bin/sh\n")); err == nil {
		t.Error("a script is taken for a program")
	}
}
