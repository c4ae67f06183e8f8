package sheet

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"starpost/engine/bounded"
	"starpost/engine/family"
	"starpost/engine/rules/sfb/arcs"
	"starpost/orders"
)

// Limits for plausible sheets; the largest printed ship is well within them.
const (
	maxSheetBytes = 64 << 10
	maxBanks      = 64
	maxBoxes      = 200 // of a bank or a shield
	maxAllBoxes   = 2000
	maxName       = 40
	maxWords      = 400 // characters of a title, note or source
	maxSteps      = 8   // lines of a turn mode
	maxTrack      = 12  // numbers of a track
	maxSpeed      = 99
	maxMistakes   = 20 // reported for one file
)

// sheetFile is a file with one sheet; it is strict TOML.
type sheetFile struct {
	Name      string             `toml:"name"`
	Title     string             `toml:"title"`
	Navy      string             `toml:"navy"`
	Note      string             `toml:"note"`
	Shields   string             `toml:"shields"`
	TurnMode  string             `toml:"turn_mode"`
	Cloak     string             `toml:"cloak"`
	MoveCost  string             `toml:"move_cost"`
	Breakdown string             `toml:"breakdown"`
	Boarding  string             `toml:"boarding"`
	Size      string             `toml:"size"`
	Banks     map[string]string  `toml:"banks"`
	Marks     map[string]markRow `toml:"marks"`
}

type markRow struct {
	Source     string `toml:"source"`
	Confidence string `toml:"confidence"`
}

// sheetReader is one reading of a file.
type sheetReader struct {
	sheetFile
	file, text string
	class      Class
	places     bounded.Places // located at the first mistake
	errs       []error
}

// Read reads the file of a class, or of a ship that has lost boxes. Mistakes are returned together, each an
// *family.TableError with line and column: broken TOML, unknown keys, two banks of one name, unknown kinds, numbers
// out of range.
func Read(file string, text []byte) (*Class, error) {
	r := &sheetReader{file: file, text: string(text), class: Class{Marks: map[string][]string{}}}
	md, err := bounded.Decode(r.text, maxSheetBytes, &r.sheetFile)
	if err != nil {
		line, col, msg, _ := bounded.Place(err)
		if name, ok := strings.CutPrefix(msg, "Key 'banks."); ok && strings.HasSuffix(name, "' has already been defined.") {
			name = strings.TrimSuffix(name, "' has already been defined.")
			msg = fmt.Sprintf("there are two banks called %s; give one of them another name, such as %s-2", name, name)
		}
		return nil, &family.TableError{File: file, Line: line, Col: col, Message: msg}
	}
	for key, known := range bounded.Unknown(&md, r.sheetFile) {
		r.fail(key, "unknown key %s, %s", clip(key.String()), orders.DidYouMean("%s", key[len(key)-1], known, "the keys are "+strings.Join(known, ", ")))
	}
	var banks []string // in the order of the file
	for _, key := range md.Keys() {
		if len(key) > 1 && key[0] == "banks" {
			banks = append(banks, key[len(key)-1])
		}
	}
	r.sources()
	r.words()
	r.shields()
	r.turnMode()
	r.numbers()
	r.moveCost()
	r.banks(banks)
	if n := len(r.errs) - maxMistakes; n > 0 {
		r.errs = append(r.errs[:maxMistakes:maxMistakes], fmt.Errorf("and %d more", n))
	}
	if err := errors.Join(r.errs...); err != nil {
		return nil, err
	}
	return &r.class, nil
}

func (r *sheetReader) fail(key []string, format string, args ...any) {
	if r.places == nil {
		r.places = bounded.FindPlaces(r.text)
	}
	at := r.places.Of(key...)
	r.errs = append(r.errs, &family.TableError{File: r.file, Line: at.Line, Col: at.Col, Message: fmt.Sprintf(format, args...)})
}

// sources reads the marks of sources.
func (r *sheetReader) sources() {
	for _, mark := range slices.Sorted(maps.Keys(r.Marks)) {
		m, key := r.Marks[mark], []string{"marks", mark}
		if !validName(mark) {
			r.fail(key, "%s is not a name for a mark: letters, digits and hyphens, at most %d", clip(mark), maxName)
		}
		if m.Source == "" || m.Confidence == "" {
			r.fail(key, "mark %s needs source and confidence", clip(mark))
		}
		r.printable(append(key, "source"), m.Source)
		r.printable(append(key, "confidence"), m.Confidence)
		r.class.Sources = append(r.class.Sources, Source{mark, m.Source, m.Confidence})
	}
}

// words reads the texts.
func (r *sheetReader) words() {
	if !validName(r.Name) || r.Name != strings.ToLower(r.Name) {
		r.fail([]string{"name"}, "name %s: a sheet needs a name of lower-case letters, digits and hyphens, at most %d, such as \"cadet-klingon\"", clip(r.Name), maxName)
	}
	r.printable([]string{"title"}, r.Title)
	r.printable([]string{"navy"}, r.Navy)
	r.printable([]string{"note"}, r.Note)
	c := &r.class
	c.Class, c.Title, c.Navy, c.Note = r.Name, r.Title, r.Navy, r.Note
	if c.Title == "" {
		c.Title = r.Name
	}
}

func (r *sheetReader) printable(key []string, text string) {
	if utf8.RuneCountInString(text) > maxWords {
		r.fail(key, "%s is longer than %d characters", key[len(key)-1], maxWords)
	} else if strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) }) {
		r.fail(key, "%s holds characters that cannot be printed", key[len(key)-1])
	}
}

// figure removes the marks from the end of a figure's text.
func (r *sheetReader) figure(key []string, text string) string {
	value, marks, ok := strings.Cut(text, "[")
	if !ok {
		return text
	}
	marks, ok = strings.CutSuffix(strings.TrimSpace(marks), "]")
	if !ok {
		r.fail(key, "%s: put the marks of sources at the end, in brackets, such as \"2 hull [S]\"", clip(text))
	}
	for mark := range strings.FieldsSeq(marks) {
		if _, known := r.Marks[mark]; !known {
			r.fail(key, "there is no mark called %s; add a table [marks.%s] with source and confidence", clip(mark), clip(mark))
			continue
		}
		figure := strings.Join(key, ".")
		r.class.Marks[figure] = append(r.class.Marks[figure], mark)
	}
	return strings.TrimSpace(value)
}

func (r *sheetReader) shields() {
	key := []string{"shields"}
	words := strings.Fields(r.figure(key, r.Shields))
	if len(words) != len(r.class.Shields) {
		r.fail(key, "shields: expected six numbers, the shield ahead first, then clockwise, such as \"16 12 10 10 10 12\"; found %d", len(words))
		return
	}
	for i, word := range words {
		boxes, err := parseBoxes(word, 0)
		if err != nil {
			r.fail(key, "shield %d: %v", i+1, err)
		}
		r.class.Shields[i] = boxes
	}
}

// moveCost reads the movement energy for a hex: "1", "1/2" or "1 1/2".
func (r *sheetReader) moveCost() {
	key := []string{"move_cost"}
	if r.MoveCost == "" {
		return
	}
	for part := range strings.FieldsSeq(r.figure(key, r.MoveCost)) {
		over, under, broken := strings.Cut(part, "/")
		n, err1 := Number(over, 1, maxSpeed)
		m, err2 := 1, error(nil)
		if broken {
			m, err2 = Number(under, 2, MoveParts)
		}
		if err1 != nil || err2 != nil || MoveParts*n%m != 0 {
			r.fail(key, "move_cost: expected the energy that a hex takes, such as \"1\", \"2/3\" or \"1 1/2\"")
			return
		}
		r.class.MoveCost += MoveParts * n / m
	}
}

func (r *sheetReader) turnMode() {
	key := []string{"turn_mode"}
	text := r.figure(key, r.TurnMode)
	if letter := strings.TrimSpace(text); len(letter) == 1 && letter[0] >= 'A' && letter[0] <= 'Z' {
		r.class.Letter = letter
		return
	}
	lines := strings.Split(text, ",")
	if len(lines) > maxSteps {
		r.fail(key, "turn_mode: at most %d steps", maxSteps)
		return
	}
	var before TurnStep
	for _, line := range lines {
		moves, speed, ok := strings.Cut(strings.TrimSpace(line), " to ")
		m, err1 := Number(moves, 1, maxSpeed)
		s, err2 := Number(speed, 1, maxSpeed)
		if !ok || err1 != nil || err2 != nil || m <= before.Moves || s <= before.Speed {
			r.fail(key, "turn_mode: expected moves straight up to a speed, rising, such as \"1 to 6, 2 to 16\"")
			return
		}
		before = TurnStep{Moves: m, Speed: s}
		r.class.TurnMode = append(r.class.TurnMode, before)
	}
}

// numbers reads the figures with one number each.
func (r *sheetReader) numbers() {
	said := map[string]string{"cloak": r.Cloak, "breakdown": r.Breakdown, "boarding": r.Boarding, "size": r.Size}
	for _, f := range r.class.figures() {
		if said[f.key] == "" {
			continue
		}
		key := []string{f.key}
		n, err := Number(r.figure(key, said[f.key]), 1, f.most)
		if err != nil {
			r.fail(key, "%s: expected %s, 1 to %d, such as \"%d\"", f.key, f.means, f.most, min(6, f.most))
		}
		*f.of = n
	}
}

func (r *sheetReader) banks(names []string) {
	if len(names) == 0 || len(names) > maxBanks {
		r.fail([]string{"banks"}, "a sheet needs a table [banks] with 1 to %d banks, such as fore = \"2 hull\"; found %d", maxBanks, len(names))
		return
	}
	all := 0
	for _, name := range names {
		key := []string{"banks", name}
		if !validName(name) || name != strings.ToLower(name) {
			r.fail(key, "bank %s: a bank's name has lower-case letters, digits and hyphens, at most %d", clip(name), maxName)
			continue
		}
		bank, err := parseBank(r.figure(key, r.Banks[name]))
		if err != nil {
			r.fail(key, "bank %s: %v", name, err)
			continue
		}
		if bank.Kind.Phaser() && strings.HasPrefix(name, string(Shuttle)) {
			r.fail(key, "bank %s: %s", name, noShuttlePhaser(bank.Kind))
			continue
		}
		bank.Name = name
		r.class.Banks = append(r.class.Banks, bank)
		if all += bank.All; all > maxAllBoxes && all-bank.All <= maxAllBoxes {
			r.fail(key, "a sheet has at most %d boxes in its banks", maxAllBoxes)
		}
	}
}

// parseBank reads "2 hull", "1/2 hull", "1 phaser-2 L+LR", "1 disruptor FA r22", or a track such as "0-0-1-3-5-9
// scanner" or, with 4 of its boxes left, "4/0-0-1-3-5-9 scanner".
func parseBank(text string) (b Bank, err error) {
	words := strings.Fields(text)
	if len(words) < 2 || len(words) > 4 {
		return b, fmt.Errorf("%s: expected boxes, kind and, for a weapon, arcs, such as \"2 hull\", \"1/2 hull\" (1 of 2 left) or \"1 phaser-2 L+LR\"", clip(text))
	}
	boxes := words[0]
	left, track, some := strings.Cut(boxes, "/")
	if !some {
		track = boxes
	}
	if numbers := strings.Split(track, "-"); len(numbers) > 1 {
		if len(numbers) > maxTrack {
			return b, fmt.Errorf("%s: a track has at most %d numbers", clip(boxes), maxTrack)
		}
		for _, word := range numbers {
			n, err := Number(word, 0, maxSpeed)
			if err != nil {
				return b, fmt.Errorf("%s: join the numbers of a track by hyphens, best first, such as 6-6-5-3-1-0", clip(boxes))
			}
			b.Track = append(b.Track, n)
		}
		if boxes = strconv.Itoa(len(numbers)); some {
			boxes = left + "/" + boxes
		}
	}
	if b.Boxes, err = parseBoxes(boxes, 1); err != nil {
		return b, err
	}
	if b.Kind = Kind(words[1]); !slices.Contains(kindNames(), words[1]) {
		return b, fmt.Errorf("unknown kind of boxes %s, %s", clip(words[1]), orders.DidYouMean("%s", words[1], kindNames(), "the kinds are "+strings.Join(kindNames(), ", ")))
	}
	for _, word := range words[2:] {
		reach, far := strings.CutPrefix(word, "r")
		switch {
		case b.Kind == Shuttle && Kind(word).Phaser():
			return b, errors.New(noShuttlePhaser(Kind(word)))
		case b.Kind.Category() != WeaponBoxes:
			return b, fmt.Errorf("%s has no arcs: only weapons do", b.Kind)
		case far && b.Reach == 0:
			if b.Reach, err = Number(reach, 1, maxSpeed); err != nil {
				return b, fmt.Errorf("%s: expected the longest range of a weapon, such as r22", clip(word))
			}
		case b.Arcs == 0 && b.Reach == 0:
			if b.Arcs, err = arcs.Parse(word); err != nil {
				return b, err
			}
		default:
			return b, fmt.Errorf("%s: expected boxes, kind, arcs and reach, such as \"1 disruptor FA r22\"", clip(text))
		}
	}
	return b, nil
}

// noShuttlePhaser explains that a shuttle cannot have a phaser of any type (house 27.3).
func noShuttlePhaser(k Kind) string {
	return fmt.Sprintf("a shuttle cannot mount a %s, only fighters can; write \"1 shuttle\", and a weapon of the ship's own under another name", k)
}

// parseBoxes reads "6" or "2/6", with at least the given number of boxes in all.
func parseBoxes(text string, least int) (Boxes, error) {
	left, all, some := strings.Cut(text, "/")
	if !some {
		all = left
	}
	n, err := Number(all, least, maxBoxes)
	if err != nil {
		return Boxes{}, fmt.Errorf("%s: expected boxes, %d to %d, or boxes left of all, such as 2/6", clip(text), least, maxBoxes)
	}
	l, err := Number(left, 0, n)
	if err != nil {
		return Boxes{}, fmt.Errorf("%s: of %d boxes, 0 to %d can be left", clip(text), n, n)
	}
	return Boxes{All: n, Left: l}, nil
}

// Number parses a whole number in a range, without a sign or leading zeros.
func Number(text string, low, high int) (int, error) {
	n, err := strconv.Atoi(text)
	if err == nil && (n < low || n > high || strconv.Itoa(n) != text) {
		err = strconv.ErrRange
	}
	return n, err
}

// validName reports whether a text can name a bank: letters, digits and inner hyphens.
func validName(name string) bool {
	return name != "" && len(name) <= maxName && !strings.HasPrefix(name, "-") && !strings.HasSuffix(name, "-") &&
		!strings.ContainsFunc(name, func(c rune) bool {
			return c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
		})
}

// quoted returns a printable text as a TOML string.
func quoted(text string) string { return `"` + escapes.Replace(text) + `"` }

var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// clip quotes and shortens foreign text for an error.
func clip(text string) string { return fmt.Sprintf("%+.60q", text) }
