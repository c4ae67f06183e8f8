package archive

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/ruling"
	"starpost/pbem/turn"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// Verdict is the result of verifying an archive.
type Verdict struct {
	File string `json:"file"`
	Info
	Sum       string              `json:"sum"` // SHA-256 of the list of hashes
	Files     int                 `json:"files"`
	Sound     bool                `json:"sound"` // no findings
	Findings  []proof.Finding     `json:"findings"`
	Dice      int                 `json:"dice"`          // number of dice that were rolled again
	Old       []proof.VersionSpan `json:"old,omitempty"` // turns of earlier versions of the rules, see OldTurnsChecked
	Luck      []Luck              `json:"luck,omitempty"`
	Rulings   []Ruling            `json:"rulings,omitempty"`
	Revisions []Revision          `json:"revisions,omitempty"` // those made by a referee
	Acts      []OtherAct          `json:"acts,omitempty"`
	Heads     []SealMatch         `json:"heads,omitempty"`
	told      map[string]string   // other hashes that mails gave: of order sets and closings
	order     []string            // names below game/, in order
	Panic     string              `json:"-"` // stack trace of a panic about an impossible game
}

// Luck is a captain's words for luck, and their hash in the turn.
type Luck struct {
	Turn     int    `json:"turn"`
	Revision int    `json:"revision"`
	Ship     string `json:"ship"`
	Words    string `json:"words"`
	Hash     string `json:"hash"`
	Sound    bool   `json:"sound"`
}

// Ruling is a referee's ruling that a turn was resolved with.
type Ruling struct {
	Turn     int `json:"turn"`
	Revision int `json:"revision"`
	ruling.Ruling
}

// Revision is a turn that was resolved again.
type Revision struct {
	Turn     int       `json:"turn"`
	Revision int       `json:"revision"`
	Current  bool      `json:"current"`
	By       string    `json:"by"`
	At       time.Time `json:"at"`
	Why      string    `json:"why,omitempty"`
	Changes  []string  `json:"changes,omitempty"`
	Played   bool      `json:"played,omitempty"` // it was due again after a rollback, and nothing was changed
}

// OtherAct is another act of a referee or a captain in the journal.
type OtherAct struct {
	Entry int                `json:"entry"`
	Kind  string             `json:"kind"`
	At    time.Time          `json:"at"`
	By    string             `json:"by"`
	Turn  int                `json:"turn,omitempty"`
	About engine.CaptainName `json:"about,omitempty"` // the captain
	Why   string             `json:"why,omitempty"`
	What  string             `json:"what,omitempty"`
}

// SealMatch is a hash from a report, and what it matches in the archive; "" for nothing.
type SealMatch struct {
	Hash string `json:"hash"`
	Of   string `json:"of,omitempty"`
}

func (v *Verdict) say(file string, line int, format string, args ...any) {
	f := proof.Finding{File: file, Line: line, Problem: fmt.Sprintf(format, args...)}
	if !slices.ContainsFunc(v.Findings, func(o proof.Finding) bool { return o == f }) {
		v.Findings = append(v.Findings, f)
	}
}

// found reports whether there are findings about a file.
func (v *Verdict) found(file string) bool {
	return slices.ContainsFunc(v.Findings, func(f proof.Finding) bool { return f.File == file })
}

// OldTurnsChecked says what is checked for turns of another version of the rule set.
const OldTurnsChecked = "the events lead from state to state, the hashes match, and the dice follow from the secret"

// tell collects what the game contains for interested readers.
func (v *Verdict) tell(g *vault.Game) error {
	spans, err := proof.Versions(g)
	if err != nil {
		return err
	}
	for _, s := range spans {
		if s.Version != g.Rules().Version {
			v.Old = append(v.Old, s)
		}
	}
	if err := v.mailed(g); err != nil {
		return err
	}
	for _, r := range g.Stages.Revisions() {
		if r.Revision > 1 {
			v.Revisions = append(v.Revisions, Revision{r.Turn, r.Revision, r.Current, r.By, r.At, r.Why, r.Changes, r.Played})
		}
		m, err := g.Stages.Manifest(vault.Stage{Turn: r.Turn, Revision: r.Revision})
		if err != nil {
			return err
		}
		if _, ruled := m.Files[vault.RulingsFile]; ruled {
			data, err := g.Stages.File(vault.Stage{Turn: r.Turn, Revision: r.Revision}, vault.RulingsFile)
			if err != nil {
				return err
			}
			all, err := turn.ReadRulings(data)
			if err != nil {
				return err
			}
			if err := v.rulings(r, data, all); err != nil {
				return err
			}
			for _, ru := range all {
				v.Rulings = append(v.Rulings, Ruling{r.Turn, r.Revision, ru})
			}
		}
		events, err := g.Stages.Events(vault.Stage{Turn: r.Turn, Revision: r.Revision})
		if err != nil {
			return err
		}
		for _, e := range events {
			switch b := e.Body.(type) {
			case *engine.Roll:
				if g.Stages.VersionAt(m.Journal) == g.Rules().Version {
					v.Dice++
				}
			case *engine.Luck:
				l := Luck{r.Turn, r.Revision, engine.Seat{Ship: b.Ship, Post: b.Post}.String(), b.Words, b.Hash, dice.LuckHash(b.Words) == b.Hash}
				if v.Luck = append(v.Luck, l); !l.Sound {
					v.say(gameDir+"/turns/"+vault.Stage{Turn: r.Turn, Revision: r.Revision}.Base()+"/"+vault.EventsFile, 0, "the luck words of %s do not match the hash shown by the turn", b.Ship)
				}
			}
		}
	}
	return v.acts(g)
}

// mailed collects the hashes in mails to captains: of the sets that turns were resolved with, and in games with public
// dice of what was closed.
func (v *Verdict) mailed(g *vault.Game) error {
	v.told = map[string]string{}
	for _, r := range g.Stages.Revisions() {
		at := vault.Stage{Turn: r.Turn, Revision: r.Revision}
		m, err := g.Stages.Manifest(at)
		if err != nil {
			return err
		}
		for name, sum := range m.Files {
			if strings.HasPrefix(name, vault.OrdersDir+"/") {
				v.told[sum] = fmt.Sprintf("%s of turn %d", name, r.Turn)
			}
		}
	}
	entries, err := g.Journal.Entries()
	for _, e := range entries {
		if e.Kind == journal.Close {
			d := journal.DataOf[journal.CloseData](e)
			v.told[d.Sets] = fmt.Sprintf("the closing of turn %d, with round %d of the beacon", e.Turn, d.Round)
		}
	}
	return err
}

// rulings checks that a file of rulings has the standard form.
func (v *Verdict) rulings(r vault.Revision, data []byte, all []ruling.Ruling) error {
	var b bytes.Buffer
	for _, ru := range all {
		line, err := json.Marshal(ru)
		if err != nil {
			return fmt.Errorf("write a ruling: %w", err)
		}
		b.Write(append(line, '\n'))
	}
	name := gameDir + "/turns/" + vault.Stage{Turn: r.Turn, Revision: r.Revision}.Base() + "/" + vault.RulingsFile
	if !bytes.Equal(b.Bytes(), data) && !v.found(name) {
		v.say(name, 0, "the rulings are not in a turn's standard form: they were altered")
	}
	return nil
}

// acts collects journal entries, apart from revisions, that affect the course of the game.
func (v *Verdict) acts(g *vault.Game) error {
	entries, err := g.Journal.Entries()
	if err != nil {
		return err
	}
	for _, e := range entries {
		a := OtherAct{Entry: e.Seq, Kind: e.Kind, At: e.Time, By: e.By, Turn: e.Turn, About: e.Captain, Why: e.Why}
		switch e.Kind {
		case journal.Rollback:
			d := journal.DataOf[journal.RollbackData](e)
			a.What = fmt.Sprintf("undid turns %d to %d", d.Turn+1, d.Last)
		case journal.Amend:
			d := journal.DataOf[journal.AmendData](e)
			a.What = "changed the orders of " + d.Name
		case journal.Protest:
			d := journal.DataOf[journal.ProtestData](e)
			a.What = fmt.Sprintf("protested against event %d.%d: %s", d.Turn, d.Event, oneLine(d.Reason))
		case journal.Dispute:
			d := journal.DataOf[journal.DisputeData](e)
			a.What = fmt.Sprintf("dispute %d, %s: %s", d.Dispute, d.Step, oneLine(d.Text))
		case journal.Deadline:
			d := journal.DataOf[journal.DeadlineData](e)
			a.What = "moved the deadline to " + d.Deadline.UTC().Format("2006-01-02 15:04 UTC")
		case journal.Rules:
			d := journal.DataOf[journal.RulesData](e)
			a.What = fmt.Sprintf("switched the game to version %s of its rules, from turn %d on", d.Version, e.Turn)
		case journal.Pause:
			a.What = "stopped the clock"
		case journal.Resume:
			a.What = "restarted the clock"
		case journal.Join:
			a.What = "took over a seat"
		case journal.OwnDice:
			a.What = fmt.Sprintf("used the host's own dice for turn %d, since no beacon was available", e.Turn)
		case journal.Begin:
			a.What = "started the game"
		case journal.Cancel:
			a.What = "called the game off"
		case journal.Resign, journal.Leave:
			a.What = "left"
		default:
			continue
		}
		v.Acts = append(v.Acts, a)
	}
	return nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
