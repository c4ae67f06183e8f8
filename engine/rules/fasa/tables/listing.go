package tables

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"starpost/engine/family"
)

// BuiltinWith returns the built-in library with a game's own tables on top.
func BuiltinWith(tables map[string][]byte) (*Library, error) {
	lib, err := Builtin()
	if err != nil || len(tables) == 0 {
		return lib, err
	}
	return lib.With(tables)
}

// Designs returns the classes of ships.
func Designs(tables map[string][]byte) (*family.Designs, error) {
	lib, err := BuiltinWith(tables)
	if err != nil {
		return nil, err
	}
	out := &family.Designs{
		Columns: []string{"CLASS", "NAVY", "POWER", "HULL", "MOVE", "SHIELDS", "ARCS", "TITLE"},
		Balance: lib.balanceOf,
	}
	for _, name := range lib.DesignNames() {
		d := lib.Designs[name]
		out.All = append(out.All, family.Design{
			Name: d.Name, Navy: d.Navy, Data: d,
			Row: []string{
				d.Name, d.Navy, fmt.Sprint(d.Power()), fmt.Sprint(d.Superstructure), fmt.Sprint(d.Move),
				fmt.Sprintf("%s max %d", d.Shield, d.MaxShield), d.ArcsFrom, d.Title,
			},
			Sheet: func() ([][]string, error) { return lib.sheet(d) },
			Text:  func(name string) (string, error) { return builtinText(d.Name, name) },
		})
	}
	return out, nil
}

// builtinText returns the TOML table of a built-in design under another name.
func builtinText(design, name string) (string, error) {
	files, err := fs.Glob(data, "data/*.toml")
	if err != nil {
		return "", fmt.Errorf("list the built-in tables: %w", err)
	}
	head := "\n[designs." + design + "]\n"
	for _, file := range files {
		text, err := fs.ReadFile(data, file)
		if err != nil {
			return "", fmt.Errorf("read the built-in tables: %w", err)
		}
		if _, found, ok := strings.Cut(string(text), head); ok {
			own, _, _ := strings.Cut(found, "\n[")
			return "[designs." + name + "]\n" + strings.TrimRight(own, "\n") + "\n", nil
		}
	}
	return "", fmt.Errorf("the program has no class %q of its own: its table is in your file", design)
}

// balanceOf returns a comparison of sides as a table and in words.
func (l *Library) balanceOf(ships []family.Entrant, within int) (family.Balance, error) {
	b, err := l.Balance(ships, within)
	if err != nil {
		return family.Balance{}, err
	}
	out := family.Balance{Columns: []string{"SIDE", "SHIP", "CLASS", "D", "WDF", "CE"}, Even: b.Even(), Data: b}
	row := func(side, ship, class string, w weight) {
		out.Rows = append(out.Rows, []string{side, ship, class, w.D.String(), w.WDF.String(), w.CE.String()})
	}
	for _, s := range b.Sides {
		for _, ship := range s.Ships {
			row(s.Side, ship.Name, ship.Class, ship.weight)
		}
		row(s.Side, "total", "", s.weight)
	}
	for _, c := range b.Comparisons {
		out.Verdict = append(out.Verdict, fmt.Sprintf("%s:\n  the smaller is %d%% of the larger in D, %d%% in WDF, %d%% in CE\n  within %d%%, %s",
			strings.Join(c.Sides[:], " and "), c.D, c.WDF, c.CE, b.Within, c.Verdict()))
	}
	return out, nil
}

// sheet returns all figures of a class, with their source and reliability.
func (l *Library) sheet(d Design) (rows [][]string, err error) {
	say := func(what, format string, args ...any) {
		rows = append(rows, []string{what, fmt.Sprintf(format, args...)})
	}
	say(d.Name, "%s (%s)", d.Title, d.Navy)
	engines := "warp"
	if d.Outpost {
		engines = "generator"
	}
	say("power", "%d: %s %s, impulse %d", d.Power(), engines, strings.Trim(strings.ReplaceAll(fmt.Sprint(d.Warp), " ", " + "), "[]"), d.Impulse)
	say("superstructure", "%d", d.Superstructure)
	if d.Outpost {
		say("movement", "none: an outpost, for the Graduate Course; arcs o1 to o3 are clockwise, o1 about her heading")
	} else {
		say("movement", "%s power/points", d.Move)
		say("warp", "cruise %d, emergency %d, stress charts %s", d.Cruise, d.Emergency, d.Stress)
	}
	say("crew", "%d", d.Crew)
	say("damage chart", "%s", d.DamageChart)
	say("shields", "%s power/points, at most %d each", d.Shield, d.MaxShield)
	if d.Cloak > 0 {
		say("cloak", "%d power (not used in the Basic Course)", d.Cloak)
	}
	if err := l.sayWeight(d, say); err != nil {
		return nil, err
	}
	if len(d.Assumed) > 0 {
		say("assumed", "%s", strings.ReplaceAll(strings.Join(d.Assumed, ", "), "_", " "))
	}
	for _, b := range d.Banks {
		t, err := l.Mounted(b)
		if err != nil {
			return nil, err
		}
		power := fmt.Sprintf("power 0-%d", t.MaxPower)
		if t.Shots > 1 {
			power += fmt.Sprintf(" a shot, %d shots a turn in the Graduate Course", t.Shots)
		}
		if t.Arm > 0 {
			power = fmt.Sprintf("arms with %d, damage %d", t.Arm, t.Damage)
		}
		if len(t.Plasma) > 0 {
			power = fmt.Sprintf("arms with %d, damage by range", t.Arm)
		}
		var bands []string
		for _, band := range t.Bands {
			bands = append(bands, fmt.Sprintf("+%d(%d-%d)", band.Bonus, band.From, band.To))
		}
		line := fmt.Sprintf("%d x %s %s, arcs %s, chart %s, %s %s", b.Mounts, t.Name, t.Title, strings.Join(b.Arcs, "/"), t.Chart, power, strings.Join(bands, " "))
		say(b.ID, "%s", strings.TrimRight(line, " "))
	}
	say("arcs", "%s", strings.TrimRight(d.ArcsFrom+": "+d.ArcsNote, ": "))
	say("source", "%s (confidence %s)", d.Source, d.Confidence)
	if d.Note != "" {
		say("note", "%s", d.Note)
	}
	return rows, nil
}

// sayWeight adds D and WDF of a class, and what cannot be computed from any source.
func (l *Library) sayWeight(d Design, say func(what, format string, args ...any)) error {
	weight, err := l.weigh(d)
	missing, ok := errors.AsType[*unweighedError](err)
	if err != nil && !ok {
		return err
	}
	var known []string
	if weight.D > 0 {
		known = append(known, "D "+weight.D.String())
	}
	switch {
	case d.WDF == 0 && weight.WDF > 0:
		known = append(known, "WDF "+weight.WDF.String()+" (by the formula, from her weapons)")
	case missing == nil || missing.Weapon == "":
		known = append(known, "WDF "+weight.WDF.String())
	}
	if len(known) > 0 {
		say("balance", "%s", strings.Join(known, ", "))
	}
	if missing != nil {
		say("", "%s: %s", missing, missing.Hint())
	}
	return nil
}
