package desk

import (
	"fmt"
	"slices"
	"strings"

	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/desk/submission"
)

// Registered is the Trust of a mail from a captain's or referee's address that contains nothing
// that needs a proof.
const Registered = "registered address"

// Explanation describes what the desk makes of a mail, for someone who investigates it. Turn keys
// are masked.
type Explanation struct {
	From      string             `json:"from"`
	Subject   string             `json:"subject"`
	Trust     string             `json:"trust"`             // "not trusted", Registered or a verdict of package auth
	Proof     string             `json:"proof,omitempty"`   // what the trust is based on, in a sentence
	Results   string             `json:"results,omitempty"` // what our own mail server says about the sender, if it is asked
	Automatic bool               `json:"automatic"`         // written by a machine
	Why       string             `json:"why"`               // the evidence for Automatic; "" for a person's mail
	Source    string             `json:"source"`            // text/plain, text/html or attachment; "" when there is no text
	Part      string             `json:"part"`              // the position of the text in the mail, as in mime.Mail
	Outcome   Outcome            `json:"outcome"`
	Reason    string             `json:"reason"`
	Blocks    []ExplainedBlock   `json:"blocks"`
	Commands  []ExplainedCommand `json:"commands"`
	Warnings  []string           `json:"warnings"`
	Errors    []string           `json:"errors"`
	Answer    *ExplainedMail     `json:"answer,omitempty"` // the answer to the sender, if any
	Mails     []ExplainedMail    `json:"mails,omitempty"`  // other mails that would go out at once
}

// ExplainedMail is a mail that would be sent.
type ExplainedMail struct {
	To      string `json:"to"`
	Subject string `json:"subject"`
	Text    string `json:"text,omitempty"` // of an answer
}

// ExplainedBlock is one order set that was found.
type ExplainedBlock struct {
	Game        string              `json:"game"`
	Turn        int                 `json:"turn"`
	Phase       int                 `json:"phase,omitempty"` // if the head names one
	Ship        string              `json:"ship"`
	Part        string              `json:"part"` // of the mail that holds the set
	Canonical   string              `json:"canonical"`
	Taken       bool                `json:"taken"`
	Diagnostics []orders.Diagnostic `json:"diagnostics"`
}

// ExplainedCommand is one command that was found.
type ExplainedCommand struct {
	Command     string              `json:"command"` // in canonical form, without its key
	Game        string              `json:"game"`
	Line        int                 `json:"line"` // of the text; 0 for the subject
	Done        bool                `json:"done"`
	Diagnostics []orders.Diagnostic `json:"diagnostics"`
}

// Explain returns what Decide would do with a mail, and why. It changes nothing. Languages are
// those of the known rule sets; it uses them for blocks of unknown games.
func (d *Desk) Explain(l identity.Incoming, languages []*orders.Language) (Explanation, error) {
	e := Explanation{
		Subject: l.Mail.Subject, Automatic: l.Mail.Automatic != "", Why: machine(l.Mail.Automatic), Source: l.Mail.Source, Part: l.Mail.Part,
		Blocks: []ExplainedBlock{}, Warnings: append([]string{}, l.Mail.Warnings...), Errors: []string{},
	}
	if s := l.Mail.Senders(); len(s) > 0 {
		e.From = s[0]
	}
	c, err := d.Decide(l)
	if err != nil {
		return e, err
	}
	if seen := &c.In.Mail; seen.Source != l.Mail.Source {
		e.Source, e.Part, e.Warnings = seen.Source, seen.Part, slices.Clone(seen.Warnings)
	}
	if l.Err != nil && len(c.Results) == 0 { // a command in the subject needs no text
		e.Errors = append(e.Errors, l.Err.Error())
	}
	e.Outcome, e.Reason = c.Outcome, c.Reason
	e.Trust = auth.UnknownAddress.String()
	if d.registered(l) {
		e.Trust = Registered
	}
	for _, s := range c.Sets {
		if s.Trusted {
			e.Trust, e.Proof = auth.Trusted.String(), s.Proof.Reason
		}
		text := s.Read.Text
		if text == "" {
			text = strings.Join(blocks.Lines(s.Read.Raw), "\n")
		}
		e.add(s.Read.Raw.Head, text, c.partOf(&s), s.Taken, s.Read.Diagnostics)
	}
	if len(c.Sets) > 0 && e.Trust != auth.Trusted.String() {
		e.Trust = "not trusted"
	}
	if r := c.ServerResults(); r.OK() {
		e.Results = fmt.Sprintf("%s: %s holds for %s", r.ID, r.Method, r.Domain)
	} else if r.Why != "" {
		e.Results = "not believed: " + r.Why
	}
	e.Commands = c.commandsDone()
	for _, d := range c.Results {
		e.sort(d.Diags)
		if d.Proof.Reason != "" && len(c.Sets) == 0 {
			e.Trust, e.Proof = d.Proof.Verdict.String(), d.Proof.Reason
		}
	}
	e.sort(c.Strays)
	e.sort(slices.DeleteFunc(slices.Clone(c.loose), func(g orders.Diagnostic) bool { return g.Code == codes.Unreadable })) // these repeat l.Err
	if len(c.Sets) == 0 && len(c.Results) == 0 && l.Err == nil {
		e.unknown(l, languages, len(c.loose) == 0)
	}
	if err := c.OwnKeys(); err != nil {
		return e, err
	}
	e.mask(c.Keys)
	return e, nil
}

// Rehearse decides a mail, makes its changes, and composes what would be sent. The games must be
// copies, and so must the requests of Hosting.
func (d *Desk) Rehearse(l identity.Incoming) (answer *Answer, others []effect.Outgoing, err error) {
	c, err := d.Decide(l)
	if err != nil {
		return nil, nil, err
	}
	for _, step := range c.Steps {
		if err := step.Do(); err != nil {
			return nil, nil, err
		}
	}
	if answer, err = c.Answer(l.Received); err == nil && answer != nil {
		err = answer.WriteText()
	}
	return answer, c.Mails, err
}

// partOf returns the part of the mail that holds a set.
func (c *Decision) partOf(s *submission.Set) string {
	m := &c.In.Mail
	switch {
	case s.Source != "":
		return m.HTMLTextPart()
	case c.Body.InFile(s.Read.Raw), c.Body.File == 0 && c.Body.Source == m.Attached && m.Attached != "":
		return m.AttachedPart
	}
	return m.Part
}

// mask hides keys wherever a mail may have put them.
func (e *Explanation) mask(keys []string) {
	hide := func(texts ...*string) {
		for _, t := range texts {
			*t = auth.Mask(*t, keys)
		}
	}
	hide(&e.From, &e.Subject, &e.Proof, &e.Results, &e.Why, &e.Source, &e.Part, &e.Reason)
	for _, list := range [][]string{e.Warnings, e.Errors} {
		for i := range list {
			hide(&list[i])
		}
	}
	for i := range e.Commands {
		cmd := &e.Commands[i]
		hide(&cmd.Command)
		for j := range cmd.Diagnostics {
			hide(&cmd.Diagnostics[j].Message, &cmd.Diagnostics[j].Hint)
		}
	}
	for i := range e.Blocks {
		b := &e.Blocks[i]
		hide(&b.Game, &b.Ship, &b.Part, &b.Canonical)
		for j := range b.Diagnostics {
			hide(&b.Diagnostics[j].Message, &b.Diagnostics[j].Hint)
		}
	}
}

// registered reports whether the sender of a mail has a seat in a game, or is a referee.
func (d *Desk) registered(l identity.Incoming) bool {
	senders := l.Mail.Senders()
	return len(senders) > 0 && (len(d.Seats(senders[0], l.Received)) > 0 || len(d.RefereeSeats(senders[0])) > 0)
}

// unknown shows the blocks of a mail that was not decided block by block; remarks means that the
// diagnostics of its lines are still to be added.
func (e *Explanation) unknown(l identity.Incoming, languages []*orders.Language, remarks bool) {
	raws, diags := orders.Scan([]byte(l.Mail.Text))
	if remarks {
		e.sort(diags)
	}
	for _, raw := range raws {
		text, ds := blocks.Lines(raw), []orders.Diagnostic(nil)
		best := -1
		for _, lang := range languages {
			b, found := raw.Parse(lang)
			strange := len(found)
			if lang.Free != "" {
				strange += 3 // it accepts anything, so a language with a few more mistakes fits better
			}
			if best < 0 || strange < best {
				b.Head.Key = ""
				text, ds, best = []string{orders.Format(b)}, found, strange
			}
		}
		e.add(raw.Head, strings.Join(text, "\n"), e.Part, false, ds)
	}
}

func (e *Explanation) add(h orders.Head, text, part string, taken bool, ds []orders.Diagnostic) {
	e.Blocks = append(e.Blocks, ExplainedBlock{
		Game: h.Game, Turn: h.Turn, Phase: h.Phase, Ship: h.Name, Part: part, Canonical: text, Taken: taken, Diagnostics: append([]orders.Diagnostic{}, ds...),
	})
	e.sort(ds)
}

// sort adds diagnostics to the errors or the warnings.
func (e *Explanation) sort(ds []orders.Diagnostic) {
	for _, d := range ds {
		text := d.String()
		if d.Hint != "" {
			text += " (" + d.Hint + ")"
		}
		if d.Severity == orders.Error {
			e.Errors = append(e.Errors, text)
		} else {
			e.Warnings = append(e.Warnings, text)
		}
	}
}
