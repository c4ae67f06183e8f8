package site

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"starpost/pbem/rating"
)

// coder reads or writes the files of a cache: each method does the one or the other with a value. encoding/json would
// take most of the time of a run, and encoding/gob adds 3 % to the start of every process. Text that is read is not copied.
type coder struct {
	out  *bufio.Writer // nil to read
	text string        // to be read
	err  error         // the first one in reading
}

var errDamaged = errors.New("the file is damaged")

// sumSize is the size of the checksum at the end of each file.
const sumSize = 4

func checksum() interface {
	io.Writer
	Sum32() uint32
} {
	return crc32.New(crc32.MakeTable(crc32.Castagnoli))
}

// pack writes a file, and returns its checksum.
func pack(file string, values func(*coder)) (sum uint32, err error) {
	f, err := os.OpenFile(file+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600) // the next run overwrites what a kill leaves
	if err != nil {
		return 0, err
	}
	all := checksum()
	c := coder{out: bufio.NewWriterSize(io.MultiWriter(f, all), 1<<16)}
	values(&c)
	err = c.out.Flush()
	sum = all.Sum32()
	_, werr := f.Write(binary.LittleEndian.AppendUint32(nil, sum))
	if err = errors.Join(err, werr, f.Close()); err != nil {
		return 0, err
	}
	return sum, os.Rename(file+".new", file)
}

// unpack reads a file that pack wrote, and returns its checksum. Nothing of a damaged file is used.
func unpack(file string, values func(*coder)) (sum uint32, err error) {
	f, err := os.Open(file)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	var text strings.Builder
	text.Grow(max(0, int(info.Size())-sumSize))
	all, end := checksum(), make([]byte, sumSize)
	if _, err := io.CopyN(io.MultiWriter(&text, all), f, max(0, info.Size()-sumSize)); err != nil {
		return 0, err
	}
	if _, err := io.ReadFull(f, end); err != nil {
		return 0, err
	}
	if sum = binary.LittleEndian.Uint32(end); sum != all.Sum32() {
		return 0, errDamaged
	}
	c := coder{text: text.String()}
	values(&c)
	return sum, c.err
}

func (c *coder) number(n *int64) {
	if c.out != nil {
		_, _ = c.out.Write(binary.AppendVarint(c.out.AvailableBuffer(), *n)) // Flush reports its error
		return
	}
	got, size := binary.Varint([]byte(c.text[:min(len(c.text), binary.MaxVarintLen64)]))
	if size <= 0 {
		c.text, c.err, got, size = "", errDamaged, 0, 0
	}
	*n, c.text = got, c.text[size:]
}

// size is the number of things that follow, each of at least one byte.
func (c *coder) size(n int) int {
	wide := int64(n)
	if c.number(&wide); c.out == nil && (wide < 0 || wide > int64(len(c.text))) {
		c.text, c.err, wide = "", errDamaged, 0
	}
	return int(wide)
}

func (c *coder) string(s *string) {
	n := c.size(len(*s))
	if c.out != nil {
		_, _ = c.out.WriteString(*s) // Flush reports its error
		return
	}
	*s, c.text = c.text[:n], c.text[n:]
}

func (c *coder) strings(all ...*string) {
	for _, s := range all {
		c.string(s)
	}
}

func (c *coder) ints(all ...*int) {
	for _, n := range all {
		wide := int64(*n)
		c.number(&wide)
		*n = int(wide)
	}
}

func (c *coder) bools(all ...*bool) {
	for _, b := range all {
		n := 0
		if *b {
			n = 1
		}
		c.ints(&n)
		*b = n == 1
	}
}

// each reads or writes a list, with one for each of its values.
func each[T any](c *coder, list *[]T, one func(*T)) {
	n := c.size(len(*list))
	if c.out == nil && n > 0 {
		*list = make([]T, n)
	}
	for i := range *list {
		one(&(*list)[i])
	}
}

func (c *coder) pairs(m *map[string]string) {
	keys := slices.Collect(maps.Keys(*m))
	all := *m
	if c.out == nil {
		all = map[string]string{}
	}
	each(c, &keys, func(key *string) {
		c.string(key)
		value := all[*key]
		c.string(&value)
		all[*key] = value
	})
	*m = all
}

// index reads or writes the index.
func (c *coder) index(x *index) {
	lists := int64(x.Lists)
	c.string(&x.Of)
	c.number(&lists)
	x.Lists = uint32(lists) //nolint:gosec // it was one
	c.pairs(&x.Feeds)
	c.pairs(&x.Drawn)
	each(c, &x.Others, func(o *other) { c.strings(&o.Dir, &o.Mark, &o.Robot) })
	each(c, &x.Games, c.brief)
}

func (c *coder) brief(b *brief) {
	c.strings(&b.Dir, &b.Mark, &b.ID, &b.Robot, &b.State)
	c.number(&b.Changed)
	rated := b.Played != nil
	c.bools(&b.Watch, &b.Vacant, &rated)
	if rated && b.Played == nil {
		b.Played = &rating.Game{}
	}
	if rated {
		c.played(b.Played)
	}
	each(c, &b.Service, func(s *rating.Service) {
		c.string(&s.Address)
		c.ints(&s.Answered, &s.Missed, &s.Resigned)
	})
	each(c, &b.Captains, c.string)
}

func (c *coder) played(g *rating.Game) {
	c.strings(&g.ID, &g.Title, &g.Set, &g.Rules, &g.Scenario)
	seconds, odds := g.Ended.UnixNano(), int64(math.Float64bits(g.Odds)) //nolint:gosec // the same bits
	c.number(&seconds)
	c.number(&odds)
	g.Ended, g.Odds = time.Unix(0, seconds).UTC(), math.Float64frombits(uint64(odds)) //nolint:gosec // the same bits
	c.ints(&g.Won)
	for i := range g.Sides {
		c.string(&g.Sides[i].Name)
		each(c, &g.Sides[i].Players, func(p *rating.Player) {
			c.strings(&p.Address, &p.Name)
			c.bools(&p.Late)
		})
	}
}
