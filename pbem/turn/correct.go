package turn

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/pbem/fault"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// Correction is the result of a rerun.
type Correction struct {
	*Rerun
	Done     bool // false: the same was already done, see Change.Cause
	Outcomes []*Outcome
}

// Correct resolves a turn again like Redo, and commits the results. Each turn becomes its next revision, with reports
// for all. The captains for whom something changed get a mail, which states the changes first. Turns that are not
// resolved again are set aside, if later allows that. With keep, the sets that the first of them was played with are
// in force again. If may is not nil and returns an error for the result, nothing is committed.
func Correct(g *vault.Game, turn int, c Change, later Later, may func(*Rerun) error, o Options) (out *Correction, err error) {
	if err := g.LockFresh(); err != nil {
		return nil, err
	}
	defer g.Release(&err)
	out = &Correction{}
	if known, err := g.Journal.Noted(journal.Revise, c.Cause); known || err != nil {
		return out, err
	}
	if out.Rerun, err = Redo(g, turn, c, later.Rerun); err != nil {
		return nil, err
	}
	if may != nil {
		if err := may(out.Rerun); err != nil {
			return nil, err
		}
	}
	if (out.Aside > 0 || out.Begun.Round > 0) && !later.Aside && !later.Rerun {
		return nil, out.standing(g.ID(), turn)
	}
	remade, err := out.publish(g, o, &out.Outcomes)
	if err != nil {
		return nil, err
	}
	var keep []vault.OrderFile
	if out.Aside > 0 && later.Keep {
		if keep, err = SetsOf(g, turn+len(out.Turns)); err != nil {
			return nil, err
		}
	}
	act := vault.Act{By: c.By, Why: c.Why, Cause: c.Cause, Now: c.Now, Changes: c.Words()}
	if out.Done, err = vault.Revise(g, act, remade, keep); err != nil {
		return nil, err
	}
	for _, one := range out.Outcomes {
		one.Dir = g.Stages.Dir(vault.At(one.Turn))
	}
	return out, nil
}

// Later says what happens to the turns after one that is resolved again.
type Later struct {
	Rerun bool // they are resolved again
	Aside bool // they are set aside
	Keep  bool // the orders of the first turn set aside are in force again
}

// standing refuses to change a turn on which later turns or rounds are based.
func (run *Rerun) standing(game string, turn int) error {
	const way = "choose what happens to them: --later rerun resolves them again from their own orders, --later aside takes them back"
	if run.Aside == 0 {
		return fault.New(way, "turn %d of %s is not all that was played: %s was played on top of it", turn, game, run.Begun)
	}
	return fault.New(way, "turn %d of %s is not its last: turns up to %d were played on top of it", turn, game, run.Aside)
}

// SetsOf returns the order sets that a turn was played with, except those that no captain wrote.
func SetsOf(g *vault.Game, turn int) ([]vault.OrderFile, error) {
	m, err := g.Stages.Manifest(vault.At(turn))
	if err != nil {
		return nil, err
	}
	before, err := g.Stages.State(vault.At(turn - 1))
	if err != nil {
		return nil, err
	}
	names, err := g.Stages.List(vault.At(turn), vault.OrdersDir)
	if err != nil {
		return nil, err
	}
	sets := []vault.OrderFile{}
	for _, file := range names {
		if path.Dir(file) != vault.OrdersDir { // only of the turn's first round
			continue
		}
		f := vault.OrderFile{Name: strings.TrimSuffix(path.Base(file), ".txt"), Modified: m.Resolved}
		if s, post, ok := engine.FindSeat(before.Ships, f.Name); ok && m.Missing[engine.Seat{Ship: s.ID, Post: post}] != "" {
			continue
		}
		if f.Text, err = g.Stages.File(vault.At(turn), file); err != nil {
			return nil, err
		}
		sets = append(sets, f)
	}
	return sets, nil
}

// Exposed reports whether the dice of a game can be predicted once it continues, because its secret was published
// with the reports that ended it.
func (run *Rerun) Exposed() bool { return run.exposed }

// publish prepares the turns for writing.
func (run *Rerun) publish(g *vault.Game, o Options, outcomes *[]*Outcome) ([]vault.Redone, error) {
	st, err := g.AdminState()
	if err != nil {
		return nil, err
	}
	o.Now = run.Change.Now
	var remade []vault.Redone
	for i := range run.Turns {
		t := &run.Turns[i]
		out := &Outcome{Turn: t.Turn, State: t.Is.State, Events: t.Is.Events, Missing: t.in.missing}
		pub := newWriter(g, t.Is.State, t.Is.Events, o)
		pub.away, pub.past = st.Away, i < len(run.Turns)-1
		if pub.past || run.Aside == 0 && run.Begun.Round == 0 {
			pub.fixed = t.manifest.Deadline
		}
		if pub.corrected, err = corrections(g, t); err != nil {
			return nil, err
		}
		if pub.editions, pub.kept, err = editions(g, t, pub.corrected); err != nil {
			return nil, err
		}
		if t.Turn == 0 {
			if pub.scenario, err = scenarioOf(g); err != nil {
				return nil, err
			}
		}
		if pub.proof.dice = t.in.beacons.Words(&pub.settings, t.Turn); pub.proof.dice != "" && t.Turn > 0 {
			pub.proof.dice += ", as before"
		}
		texts, err := t.in.files()
		if err != nil {
			return nil, err
		}
		m := t.manifest
		m.Resolved, m.Missing, m.Mails = o.Now.UTC().Truncate(time.Second), t.in.missing, nil
		m.Silent, m.Rounds = t.in.silent, nil
		*outcomes = append(*outcomes, out)
		remade = append(remade, vault.Redone{Manifest: m, Fill: pub.fill(out, texts)})
	}
	return remade, nil
}

// viewPair holds the views of a captain before and after a change.
type viewPair struct {
	captain  engine.CaptainName
	old, now *engine.View
}

// differing returns the view pairs that differ, of all captains.
func (t *Redone) differing(r *engine.Rules) ([]viewPair, error) {
	was, is := engine.NewViewBuilder(r, t.Was.State, t.Was.Events), engine.NewViewBuilder(r, t.Is.State, t.Is.Events)
	w := viewWriter{}
	var out []viewPair
	for _, c := range t.Is.State.Captains() {
		who, err := r.SeatViewer(t.Is.State, c.Seats[0])
		if err != nil {
			return nil, err
		}
		l := viewPair{captain: c.Name}
		if l.old, err = was.View(who); err != nil {
			return nil, err
		}
		if l.now, err = is.View(who); err != nil {
			return nil, err
		}
		same, err := w.same(l.old, l.now)
		if err != nil {
			return nil, fmt.Errorf("view of %s: %w", c.Name, err)
		}
		if !same {
			out = append(out, l)
		}
	}
	return out, nil
}

// viewWriter compares views by their JSON. Events' bodies are shared by the views of one builder, so each is encoded
// once.
type viewWriter map[engine.Body][]byte

func (w viewWriter) same(a, b *engine.View) (bool, error) {
	if len(a.Events) != len(b.Events) {
		return false, nil
	}
	for i, x := range a.Events {
		y := b.Events[i]
		if x.Phase != y.Phase || x.Step != y.Step || x.Type.Name != y.Type.Name || !slices.Equal(x.Rule, y.Rule) {
			return false, nil
		}
		one, err := w.body(x.Body)
		if err != nil {
			return false, err
		}
		other, err := w.body(y.Body)
		if err != nil || !bytes.Equal(one, other) {
			return false, err
		}
	}
	restA, restB := *a, *b
	restA.Events, restB.Events = nil, nil
	if reflect.DeepEqual(restA, restB) {
		return true, nil // most views are equal, and this is much cheaper
	}
	one, err := json.Marshal(restA)
	if err != nil {
		return false, err
	}
	other, err := json.Marshal(restB)
	return bytes.Equal(one, other), err
}

func (w viewWriter) body(b engine.Body) ([]byte, error) {
	if text, ok := w[b]; ok {
		return text, nil
	}
	text, err := json.Marshal(b)
	if err != nil {
		return nil, err
	}
	w[b] = text
	return text, nil
}

// Affected returns the captains who can see a change in the turn, ordered by name.
func (t *Redone) Affected(r *engine.Rules) ([]engine.CaptainName, error) {
	all, err := t.differing(r)
	names := []engine.CaptainName{}
	for _, l := range all {
		names = append(names, l.captain)
	}
	return names, err
}

// corrections returns the changes for each captain, by name, as that captain sees them. Captains without changes are
// omitted.
func corrections(g *vault.Game, t *Redone) (map[engine.CaptainName][]string, error) {
	all, err := t.differing(g.Rules())
	if err != nil {
		return nil, err
	}
	out := map[engine.CaptainName][]string{}
	if ends := t.Is.State.Result; (t.Was.State.Result == nil) != (ends == nil) {
		return t.correctionsOfEnd(g.Rules(), all)
	}
	for _, l := range all {
		if out[l.captain] = correctionWords(g.Rules(), l.old, l.now); len(out[l.captain]) == 0 {
			out[l.captain] = []string{"how ships stand; see the tables below"}
		}
	}
	return out, nil
}

// correctionsOfEnd returns the corrections of a turn that now ends the game, or no longer does. The end reveals
// everything, so the changes are searched for in what each captain may know while the game goes on.
func (t *Redone) correctionsOfEnd(r *engine.Rules, all []viewPair) (map[engine.CaptainName][]string, error) {
	was, is := undisclosed(r, t.Was), undisclosed(r, t.Is)
	out := map[engine.CaptainName][]string{}
	for _, l := range all {
		old, err := was.View(l.old.Viewer)
		if err != nil {
			return nil, err
		}
		now, err := is.View(l.now.Viewer)
		if err != nil {
			return nil, err
		}
		words := correctionWords(r, old, now)
		if l.now.Result != nil {
			words = append(words, "now: "+l.now.Result.Describe(l.now.SideName), "This ends the game: what was hidden is revealed below, and is not in this list.")
		} else {
			words = append(words, "no more: "+l.old.Result.Describe(l.old.SideName), "The game goes on: what its end revealed is neither below nor in this list.")
		}
		out[l.captain] = words
	}
	return out, nil
}

// undisclosed builds views as they are while a game goes on.
func undisclosed(r *engine.Rules, p Played) *engine.ViewBuilder {
	state := *p.State
	state.Result = nil
	return engine.NewViewBuilder(r, &state, p.Events)
}

// mostCorrections limits how many differing lines of the account, and of the tables, a corrected report lists at its
// head.
const mostCorrections = 8

// correctionWords lists how a corrected view differs from the old one: first how ships stand, then what happened,
// then the tables. Of an account with more than mostCorrections differing lines it lists the first two, of such
// tables none, and counts the rest.
func correctionWords(r *engine.Rules, old, now *engine.View) []string {
	was, is := r.Present(old), r.Present(now)
	var out []string
	for _, e := range CompareLines(standing(old), standing(now)) {
		name, _, _ := strings.Cut(e.Is, ": ")
		switch before, same := strings.CutPrefix(e.Was, name+": "); {
		case e.Same:
		case same:
			out = append(out, fmt.Sprintf("%s (was: %s)", e.Is, before))
		default:
			out = append(out, differs(e)...)
		}
	}
	for _, part := range []struct {
		where string
		all   []Edit
		first int // how many lines are listed if there are more than mostCorrections
	}{{"account", CompareLines(account(was), account(is)), 2}, {"tables", CompareLines(tables(was), tables(is)), 0}} {
		edits := slices.DeleteFunc(part.all, func(e Edit) bool { return e.Same })
		tell := len(edits)
		if tell > mostCorrections {
			tell = part.first
		}
		for _, e := range edits[:tell] {
			out = append(out, differs(e)...)
		}
		if left := len(edits) - tell; left > 0 {
			out = append(out, fmt.Sprintf("and %d more lines of the %s below", left, part.where))
		}
	}
	return out
}

// differs returns the old and the new form of a line, labelled.
func differs(e Edit) []string {
	switch {
	case e.Was == "":
		return []string{"now: " + e.Is}
	case e.Is == "":
		return []string{"no more: " + e.Was}
	}
	return []string{"was: " + e.Was, "is: " + e.Is}
}

// account returns what a report says about what happened, line by line.
func account(p engine.Presentation) (out []string) {
	for _, c := range p.Phases {
		for _, l := range c.Lines {
			if text := strings.TrimSpace(l.Text); text != "" {
				out = append(out, text)
			}
		}
	}
	return out
}

// standing returns the status and place of each ship.
func standing(v *engine.View) (out []string) {
	for _, s := range v.Ships {
		at := ""
		if s.Hex != nil {
			at = ", " + s.Hex.Label() + " " + s.Heading.String()
		}
		out = append(out, fmt.Sprintf("%s: %s%s", s.Name, s.Status, at))
	}
	return out
}

// tables returns the rows and notes of all panels.
func tables(p engine.Presentation) (out []string) {
	for _, panel := range p.Panels {
		for _, n := range panel.Notes {
			out = append(out, panel.Title+": "+n)
		}
		for _, row := range panel.Rows {
			out = append(out, panel.Title+": "+strings.Join(slices.DeleteFunc(slices.Clone(row), func(s string) bool { return s == "" }), ", "))
		}
	}
	return out
}

// editions returns the numbers of the reports of a turn that is changed for some captains, and, by seat, the texts of
// the reports that the others keep.
func editions(g *vault.Game, t *Redone, corrected map[engine.CaptainName][]string) (numbers map[engine.CaptainName]int, kept map[engine.Seat][]byte, err error) {
	numbers, kept = map[engine.CaptainName]int{}, map[engine.Seat][]byte{}
	for _, c := range t.Is.State.Captains() {
		numbers[c.Name] = t.manifest.Edition(c.Name)
		if _, changed := corrected[c.Name]; changed {
			numbers[c.Name]++
			continue
		}
		for _, seat := range c.Seats {
			if kept[seat], err = g.Stages.File(vault.At(t.Turn), file(seat, Text)); err != nil {
				return nil, nil, err
			}
		}
	}
	return numbers, kept, nil
}
