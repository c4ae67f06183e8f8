package templates

import (
	"slices"

	"starpost/templates/clean"
)

// box is a rectangle on a panel: its middle, and half of its width and height.
type box struct{ x, y, w, h int }

func (b box) meets(o box) bool { return abs(b.x-o.x) < b.w+o.w && abs(b.y-o.y) < b.h+o.h }

// segment is a straight line from x, y.
type segment struct{ x, y, dx, dy int }

// cuts reports whether a segment comes within two units of a box. They are apart if one
// of three axes separates them: the two of the box, and the one across the segment.
func (s segment) cuts(b box) bool {
	b.w, b.h = b.w+2, b.h+2
	if abs(2*(b.x-s.x)-s.dx) > 2*b.w+abs(s.dx) || abs(2*(b.y-s.y)-s.dy) > 2*b.h+abs(s.dy) {
		return false
	}
	across := int64(s.dx)*int64(b.y-s.y) - int64(s.dy)*int64(b.x-s.x)
	reach := int64(b.w)*int64(abs(s.dy)) + int64(b.h)*int64(abs(s.dx))
	return -reach <= across && across <= reach
}

// label is the name of something at x, y, with a colour of its own if fill is set. If
// there is room, its base line is at y + below.
type label struct {
	text, fill  string
	x, y, below int
}

// Text of size 9 reaches from 7 above its base line to 3 below it.
const textMiddle, textHalf = 2, 5

// spots returns the places that a label may take, the best first.
func (l *label) spots() [14]box {
	half := clean.Columns(l.text)*5/2 + 2
	down := l.below - textMiddle
	side := down - textHalf + 2 + half
	spots := [14]box{
		{x: 0, y: down},
		{x: 0, y: -down},
		{x: side, y: 0},
		{x: -side, y: 0},
		{x: half, y: down},
		{x: -half, y: down},
		{x: half, y: -down},
		{x: -half, y: -down},
		{x: side, y: 12},
		{x: -side, y: 12},
		{x: side, y: -12},
		{x: -side, y: -12},
		{x: 0, y: down + 12},
		{x: 0, y: -down - 12},
	}
	for i := range spots {
		spots[i] = box{l.x + spots[i].x, l.y + spots[i].y, half, textHalf}
	}
	return spots
}

// signboard holds what labels should not cover.
type signboard struct {
	taken []box // by ships with their shields, marks and other writing
	lines []segment
	// What is near the current label.
	boxes    []box
	segments []segment
}

// clear empties the board for a panel of m and makes room for what it draws.
func (s *signboard) clear(m *Map) {
	s.taken = slices.Grow(s.taken[:0], len(m.Counters)+2*len(m.Shots))
	s.lines = slices.Grow(s.lines[:0], len(m.Shots))
}

// gather selects what may be in the way of any of the spots.
func (s *signboard) gather(spots []box) {
	all := spots[0]
	for _, at := range spots {
		all.w = max(all.w, abs(at.x-all.x)+at.w)
		all.h = max(all.h, abs(at.y-all.y)+at.h)
	}
	s.boxes, s.segments = s.boxes[:0], s.segments[:0]
	for _, b := range s.taken {
		if b.meets(all) {
			s.boxes = append(s.boxes, b)
		}
	}
	for _, l := range s.lines {
		if l.cuts(all) {
			s.segments = append(s.segments, l)
		}
	}
}

// covered counts the gathered things that a label would cover.
func (s *signboard) covered(at box) (n int) {
	for _, b := range s.boxes {
		if b.meets(at) {
			n++
		}
	}
	for _, l := range s.segments {
		if l.cuts(at) {
			n++
		}
	}
	return n
}

// mostPlaced bounds the labels of a panel that search for room: beyond that there is none.
const mostPlaced = 100
