package orders

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// noPlaces compares trees without their positions.
var noPlaces = cmp.Comparer(func(Pos, Pos) bool { return true })

// failer is a testing.T or a rapid.T.
type failer interface{ Fatalf(string, ...any) }

// unplaced copies a block without its positions. Comparing with cmp.Diff, which ignores them too, is too slow for
// every block.
func unplaced(b Block) Block {
	h := b.Head
	out := Block{Head: Head{Game: h.Game, Turn: h.Turn, Phase: h.Phase, Kind: h.Kind, Name: h.Name, Key: h.Key}}
	for _, g := range b.Groups {
		copied := Group{Name: g.Name, N: g.N}
		for _, s := range g.Statements {
			s.Pos, s.TextPos, s.Args, s.When = Pos{}, Pos{}, unplacedArgs(s.Args), unplacedCond(s.When)
			copied.Statements = append(copied.Statements, s)
		}
		out.Groups = append(out.Groups, copied)
	}
	return out
}

func unplacedArgs(args []Arg) []Arg {
	args = slices.Clone(args)
	for i := range args {
		args[i].Pos = Pos{}
	}
	return args
}

func unplacedCond(c *Cond) *Cond {
	if c == nil {
		return nil
	}
	out := *c
	out.Pos, out.Args, out.Kids = Pos{}, unplacedArgs(c.Args), slices.Clone(c.Kids)
	for i, k := range out.Kids {
		out.Kids[i] = unplacedCond(k)
	}
	return &out
}

// within returns a function that reports whether a position is in src, or just after the end of a line.
func within(src []byte) func(Pos) bool {
	var lengths []int
	for rest := string(src); rest != "" || lengths == nil; {
		var line string
		line, rest = cutLine(rest)
		lengths = append(lengths, utf8.RuneCountInString(line))
	}
	return func(at Pos) bool {
		return at.Line >= 1 && at.Line <= len(lengths) && at.Col >= 1 && at.Col <= lengths[at.Line-1]+1
	}
}

// compiled is the sample, which all tests may use concurrently.
var compiled = sync.OnceValue(func() *Language { return sample().Compiled() })

// checkSource checks what holds for any source: positions are inside, numbers are limited, and every block parsed
// without errors is a fixpoint.
func checkSource(t failer, src []byte) {
	inside := within(src)
	raws, ds := Scan(src)
	if len(ds) > MaxDiagnostics+1 || len(raws) > MaxBlocks {
		t.Fatalf("%d blocks, %d diagnostics", len(raws), len(ds))
	}
	for _, d := range ds {
		if !inside(d.Pos) {
			t.Fatalf("%v (%s) lies outside of %q", d, d.Hint, src)
		}
	}
	for _, r := range raws {
		b, more := r.Parse(sample())
		if c, also := r.Parse(compiled()); !reflect.DeepEqual(b, c) || !reflect.DeepEqual(more, also) {
			t.Fatalf("compiled, the language reads %+v %v, else %+v %v", c, also, b, more)
		}
		if len(more) > MaxDiagnostics+1 {
			t.Fatalf("%d diagnostics", len(more))
		}
		for _, d := range more {
			if !inside(d.Pos) {
				t.Fatalf("%v (%s) lies outside of %q", d, d.Hint, src)
			}
		}
		checkPlaces(t, src, b)
		if !HasErrors(ds) && !HasErrors(more) {
			checkFixpoint(t, b)
		}
	}
}

func checkPlaces(t failer, src []byte, b Block) {
	places := []Pos{b.Start, b.End}
	for _, g := range b.Groups {
		places = append(places, g.Pos)
		for _, s := range g.Statements {
			places = append(places, s.Pos)
			for _, a := range s.Args {
				places = append(places, a.Pos)
			}
			if len(s.Text) > 0 {
				places = append(places, s.TextPos)
			}
			if s.When != nil {
				places = append(places, s.When.Pos)
			}
		}
	}
	inside := within(src)
	for _, at := range places {
		if !inside(at) {
			t.Fatalf("%v lies outside of %q", at, src)
		}
	}
}

// checkFixpoint checks that the canonical text of a valid block parses to the same tree, formats to itself, and
// keeps to its width.
func checkFixpoint(t failer, b Block) {
	text := Format(b)
	blocks, ds := Parse([]byte(text), sample())
	if len(blocks) != 1 || HasErrors(ds) {
		t.Fatalf("%d blocks, %v in\n%s", len(blocks), ds, text)
	}
	if !reflect.DeepEqual(unplaced(b), unplaced(blocks[0])) {
		t.Fatalf("%s\nread again:\n%s", text, cmp.Diff(b, blocks[0], noPlaces))
	}
	if again := Format(blocks[0]); again != text {
		t.Fatalf("first\n%s\nthen\n%s", text, again)
	}
	body := false
	for line := range strings.Lines(text) {
		switch line {
		case "#text\n":
			body = true
		case "#endtext\n":
			body = false
		}
		if n := utf8.RuneCountInString(line); !body && n > Width {
			t.Fatalf("%d columns: %s", n-1, line)
		}
	}
}

// writer writes random orders that are valid in the sample language.
type writer struct {
	t    *rapid.T
	lang *Language
}

func (w writer) pick(among ...string) string { return rapid.SampledFrom(among).Draw(w.t, "pick") }
func (w writer) chance() bool                { return rapid.Bool().Draw(w.t, "chance") }

// cased returns a keyword in random case.
func (w writer) cased(word string) string {
	return w.pick(word, strings.ToUpper(word), strings.ToLower(word))
}

// gap returns white space that must not matter.
func (w writer) gap() string {
	return w.pick(" ", " ", "  ", "\t", "\u00a0", ", ", "\n  & ", " ; a remark\n&")
}

func (w writer) name() string {
	return rapid.StringMatching(`[A-Za-z\x{e9}][A-Za-z0-9_.'-]{0,40}[a-z0-9]`).
		Filter(func(s string) bool { return !reserved(s) && !known(s) }).Draw(w.t, "name")
}

func (w writer) value(p Param) string {
	switch p.Class {
	case Number:
		return fmt.Sprint(rapid.IntRange(0, MaxNumber).Draw(w.t, "number"))
	case HexLabel:
		return rapid.StringMatching(`[0-9]{4}|-?[0-9]{1,4}\.-?[0-9]{1,4}`).Draw(w.t, "hex")
	case Choice:
		return w.cased(rapid.SampledFrom(p.Choices).Draw(w.t, "choice"))
	case Signed:
		if len(p.Choices) > 0 {
			return w.pick(p.Choices...)
		}
		return rapid.StringMatching(`[+-][0-9]{1,6}`).Draw(w.t, "signed")
	case Text:
		return rapid.StringMatching(`[a-z][a-z,.:()<>"&'0-9]{0,20}( [a-z#>&=]{1,20}){0,20}`).Draw(w.t, "text")
	default:
		return w.name()
	}
}

// form returns a random sentence of a form.
func (w writer) form(f Form) string {
	prog, err := compile(f, w.lang.Params)
	if err != nil {
		w.t.Fatal(err)
	}
	out := ""
	for pc, glued := 0, true; ; {
		in := prog.code[pc]
		pc++
		switch in.op {
		case opDone:
			return out
		case opSplit:
			if pc = in.y; w.chance() {
				pc = in.x
			}
			continue
		case opLit, opParam: // write a word, below
		}
		if in.glue {
			out, glued = out+w.pick(":", ": ", " :"), true
			continue
		}
		if !glued {
			gap := w.gap()
			if len(out)-strings.LastIndex(out, "\n") > 200 {
				gap = "\n&" // well below the longest line
			}
			out += gap
		}
		glued = false
		if in.op == opLit {
			out += w.cased(in.word)
		} else {
			out += w.value(in.param)
		}
	}
}

func (w writer) cond(depth int) string {
	if depth == 0 {
		s := rapid.SampledFrom(w.lang.Subjects).Draw(w.t, "subject")
		test := w.form(s.Form)
		sign := w.pick("<", " <= ", "=", " =>", ">", "\u2265")
		switch s.Kind {
		case NumberSubject:
			return test + sign + w.value(Param{Class: Number})
		case PercentSubject:
			return test + sign + fmt.Sprint(rapid.IntRange(0, 100).Draw(w.t, "per cent")) + w.pick("", "%", " %")
		case WordSubject:
			if len(s.Choices) > 0 {
				return test + " = " + w.cased(w.pick(s.Choices...))
			}
			return test + "=" + w.name()
		default:
			return test
		}
	}
	left, right := w.cond(depth-1), w.cond(rapid.IntRange(0, depth-1).Draw(w.t, "depth"))
	return w.pick("("+left+")", "not "+left, left+"\n& and "+right, left+"\n & OR "+right, "("+left+"\n&or "+right+") and cloaked")
}

func (w writer) statement(v Verb) string {
	text := w.form(rapid.SampledFrom(v.Forms).Draw(w.t, "form"))
	if v.When && w.chance() {
		text += w.gap() + "when " + w.cond(rapid.IntRange(0, 3).Draw(w.t, "depth"))
	}
	if v.Body {
		lines := rapid.SliceOfN(rapid.StringMatching(`[a-zA-Z ;&:.\x{e9}\t]{0,90}`), 0, 5).Draw(w.t, "lines")
		text += w.pick("\n", " ", "\n\n") + "#text\n" + strings.Join(append(lines, "x"), "\n") + "\n#endtext"
	}
	return text
}

// block returns a block that must be parsed without any diagnostic.
func (w writer) block() string {
	turn, who := rapid.IntRange(0, MaxNumber).Draw(w.t, "turn"), w.pick("ship", "captain", "helm")
	out := fmt.Sprintf("#orders%s%s turn%s%d %s %s", w.gap(), w.name(), w.gap(), turn, w.cased(who), w.name())
	if w.chance() {
		out += w.gap() + "key " + rapid.StringMatching(`[0-9A-Za-z]{4}-[0-9A-Z]{4}`).Draw(w.t, "key")
	}
	out += "\n"
	once := map[string]bool{}
	statements := func(s Section) {
		for _, v := range s.Verbs {
			for range rapid.IntRange(0, 2).Draw(w.t, "times") {
				if key := s.Name + " " + v.Name; !v.Once || !once[key] {
					once[key] = true
					out += w.pick("", "  ", "\t", "\n") + w.statement(v) + w.pick("\n", " ; so\n")
				}
			}
		}
	}
	for _, i := range rapid.Permutation([]int{0, 1, 2, 3}).Draw(w.t, "sections") {
		s := w.lang.Sections[i]
		if s.Numbered {
			for n := s.Max; n > 0; n-- {
				out += fmt.Sprintf("%s %d%s\n", w.cased(s.Name), n, w.pick("", ":"))
				statements(s)
				clear(once)
			}
			continue
		}
		if s.Name != "" {
			out += w.cased(s.Name) + "\n"
		}
		statements(s)
	}
	return out + "#end\n"
}

// A written block is parsed without diagnostics, and its canonical text is a fixpoint.
func writtenBlock(t *rapid.T) {
	src := writer{t, sample()}.block()
	blocks, ds := Parse([]byte(src), sample())
	if len(ds) > 0 || len(blocks) != 1 {
		t.Fatalf("%d blocks, %v in\n%s", len(blocks), ds, src)
	}
	checkPlaces(t, []byte(src), blocks[0])
	checkFixpoint(t, blocks[0])
	set := blocks[0].Set()
	if got, want := set.With(blocks[0].Head), Format(blocks[0]); got != want {
		t.Fatalf("a set of\n%s\nis\n%s", want, got)
	}
	checkSet(t, sample(), set)
}

func TestWrittenBlocks(t *testing.T) { rapid.Check(t, writtenBlock) }

// A block with some bytes changed is parsed as far as possible.
func TestSpoiltBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(writer{t, sample()}.block())
		for range rapid.IntRange(1, 5).Draw(t, "changes") {
			i := rapid.IntRange(0, len(src)-1).Draw(t, "at")
			src[i] = rapid.SampledFrom([]byte("\n #&>;:(x9\xff")).Draw(t, "byte")
		}
		checkSource(t, src)
	})
}

// Formatting one statement and parsing it alone gives the same statement.
func TestWrittenStatements(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := writer{t, sample()}
		s := rapid.SampledFrom(w.lang.Sections).Draw(t, "section")
		text := w.statement(rapid.SampledFrom(s.Verbs).Draw(t, "verb"))
		first, ds := w.lang.Statement(s.Name, text)
		if len(ds) > 0 {
			t.Fatalf("%v in %q", ds, text)
		}
		again, ds := w.lang.Statement(s.Name, FormatStatement(first))
		if d := cmp.Diff(first, again, noPlaces); len(ds) > 0 || d != "" {
			t.Fatalf("%v %s", ds, d)
		}
	})
}

// hostile returns sources made to cost as much as possible within the limits.
func hostile() map[string]string {
	long := func(head, word string) string {
		line := head
		for range 5 {
			line += "\n& " + strings.Repeat(word, 490/len(word))
		}
		return line
	}
	blocks := func(lines string) string { return strings.Repeat(one("phase 1\n"+lines), MaxBlocks) }
	return map[string]string{
		"names":       blocks(long("fire", "x ")),
		"literals":    blocks(long("fire", "at ")),
		"subjects":    blocks(long("move F when", "range ")),
		"tests":       blocks(long("move F when", "range < 1 and ")),
		"half tests":  blocks(long("move F when", "shield 2 of and ")),
		"parentheses": blocks(long("move F when", "(")),
		"pairs":       blocks(long("fire", ":")),
		"unknown":     blocks(strings.Repeat("wordlongerthanmost\n", 490)),
		"marks":       strings.Repeat("#order\n", MaxBytes/7),
		"heads":       strings.Repeat("#orders\n", MaxBytes/8),
		"open":        "#orders wolf turn 1 ship X\n" + strings.Repeat("&\n", MaxBytes/2-20),
		"quotes":      strings.Repeat(">", MaxBytes),
		"one line":    strings.Repeat("#orders ", MaxBytes/8),
		"letters":     one("phase 1\n" + long("fire", "\u00e9")),
	}
}

func TestHostile(t *testing.T) {
	for name, src := range hostile() {
		t.Run(name, func(t *testing.T) { checkSource(t, []byte(src)) })
	}
}

func seeds(f *testing.F) {
	f.Helper()
	f.Add([]byte(hood))
	f.Add(bytes.ReplaceAll([]byte(hood), []byte("\n"), []byte("\r\n> ")))
	f.Add(bytes.ReplaceAll([]byte("\n"+hood), []byte("\n"), []byte("\n  | ")))
	f.Add(bytes.ReplaceAll([]byte(hood), []byte("#"), []byte("**# ")))
	for _, d := range diagnosed {
		if len(d.src) < 2000 {
			f.Add([]byte(d.src))
		}
	}
}

func FuzzScan(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		inside := within(src)
		raws, ds := Scan(src)
		for _, d := range ds {
			if !inside(d.Pos) {
				t.Fatalf("%v lies outside", d)
			}
		}
		for _, r := range raws {
			if !inside(r.Start) || !inside(r.End) || r.End.Compare(r.Start) < 0 {
				t.Fatalf("block from %v to %v", r.Start, r.End)
			}
			if !r.Ended && !HasErrors(ds) {
				t.Fatal("a block without end, and no error")
			}
			for _, l := range r.Lines {
				if strings.ContainsAny(l.Text, "\r\n\x00\x1b") || !utf8.ValidString(l.Text) {
					t.Fatalf("line %q", l.Text)
				}
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, src []byte) { checkSource(t, src) })
}

// FuzzFormat puts fuzzed lines into a valid block, so that most inputs get as far as statements.
func FuzzFormat(f *testing.F) {
	for _, line := range []string{
		"phase 1\n#end\n#orders wolf turn 3 phase 2 ship Hood\nwait", "phase 1\nfire a b at X when range<=3 or not(missile and alert=red)",
		"message X #text\nhello\n#endtext", "luck a b: c", "power\nshields 1:2 3:4\narm b 1 2", "warp -1",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, lines string) { checkSource(t, []byte(one(lines))) })
}

// FuzzWritten lets the fuzzer steer the writer of valid blocks.
func FuzzWritten(f *testing.F) { f.Fuzz(rapid.MakeFuzz(writtenBlock)) }

func BenchmarkParse(b *testing.B) {
	src, lang := []byte(hood), sample().Compiled()
	b.ReportAllocs()
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if _, ds := Parse(src, lang); len(ds) > 0 {
			b.Fatal(ds)
		}
	}
}

func BenchmarkFormat(b *testing.B) {
	blocks, _ := Parse([]byte(hood), sample())
	for b.Loop() {
		Format(blocks[0])
	}
}
