package conformance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"starpost/engine"
)

// maxLine is the maximum length of a question or an answer in bytes.
const maxLine = 64 << 20

// Engine is a program that reads questions, one line of JSON each, and writes one line of JSON as the answer to
// each.
type Engine struct {
	in  io.Writer
	out *bufio.Scanner
}

// NewEngine returns an engine with the standard input and output of a program.
func NewEngine(in io.Writer, out io.Reader) *Engine {
	return &Engine{in: in, out: lines(out)}
}

func lines(r io.Reader) *bufio.Scanner {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 0, 64<<10), maxLine)
	return s
}

// Ask asks a question and waits for the answer.
func (e *Engine) Ask(q Question) (Answer, error) {
	data, err := json.Marshal(q)
	if err != nil {
		return Answer{}, fmt.Errorf("write the question: %w", err)
	}
	_, unread := e.in.Write(append(data, '\n')) // what the program wrote before it ended is more informative
	if !e.out.Scan() {
		if unread != nil {
			return Answer{}, fmt.Errorf("the program reads no question: %w", unread)
		}
		if err := e.out.Err(); err != nil {
			return Answer{}, fmt.Errorf("read the answer: %w", err)
		}
		return Answer{}, errors.New("the program ended without an answer")
	}
	var a Answer
	if err := decode(e.out.Bytes(), &a); err != nil {
		return a, fmt.Errorf("the answer is not as docs/cases.md says: %w", err)
	}
	if a.Case != q.Case {
		return a, fmt.Errorf("the answer is about case %q, not %q", a.Case, q.Case)
	}
	return a, nil
}

// Answers answers the questions of r until there are no more, which makes this program an engine like others. Rules
// returns a rule set by name with files of ship classes; questions for those that it cannot make are declined.
func Answers(r io.Reader, w io.Writer, rules func(name string, tables map[string][]byte) (*engine.Rules, error)) error {
	in, made := lines(r), map[string]*engine.Rules{} // by name, if made without files
	once := func(name string, tables map[string][]byte) (*engine.Rules, error) {
		if known := made[name]; known != nil && len(tables) == 0 {
			return known, nil
		}
		set, err := rules(name, tables)
		if err == nil && len(tables) == 0 {
			made[name] = set
		}
		return set, err
	}
	for n := 1; in.Scan(); n++ {
		var q Question
		if err := decode(in.Bytes(), &q); err != nil {
			return fmt.Errorf("question %d is not as docs/cases.md says: %w", n, err)
		}
		data, err := json.Marshal(answer(q, once))
		if err != nil {
			return fmt.Errorf("answer question %d: %w", n, err)
		}
		if _, err := w.Write(append(data, '\n')); err != nil {
			return fmt.Errorf("answer question %d: %w", n, err)
		}
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("read the questions: %w", err)
	}
	return nil
}

func answer(q Question, rules func(name string, tables map[string][]byte) (*engine.Rules, error)) Answer {
	if q.Format != Format {
		return Answer{Case: q.Case, Declined: fmt.Sprintf("format %d is not known, %d is", q.Format, Format)}
	}
	tables := map[string][]byte{}
	for name, text := range q.Tables {
		tables[name] = []byte(text)
	}
	set, err := rules(q.Rules, tables)
	if err != nil {
		return Answer{Case: q.Case, Declined: err.Error()}
	}
	return Play(set, q, nil)
}

// decode reads one JSON value. Numbers are kept as they are written.
func decode(data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(v); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("more than one value stands in the line")
	}
	return nil
}
