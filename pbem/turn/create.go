package turn

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/scenario"
	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/clock"
	"starpost/pbem/publicdice"
	"starpost/pbem/record"
	"starpost/pbem/record/directory"
	"starpost/pbem/vault"
)

// Setup describes a new game.
type Setup struct {
	Scenario []byte
	Tables   map[string][]byte // the game's own tables, "ships/x.toml"; nil for none
	ID       string            // as orders refer to it; "" is the scenario's name
	// Cadence is what one exchange of mails resolves. "" is what the scenario suggests, or a turn.
	Cadence string
	Origin  string // see vault.Settings
	// Captains says who commands which ships. A captain without a Name is the scenario's captain of
	// the first ship, or is named like the ship. Entries with one address and no name are one
	// captain. Unmentioned ships have the scenario's captains and crews, without an address. A
	// captain with only Posts and no Name is the scenario's officer at the first post, or is named
	// after it. Other unmentioned posts belong to the ship's captain.
	Captains []vault.Captain
	Mail     vault.MailSettings
	Referees []vault.Referee
	// Plays is the seat of each referee who plays, "Hood" or "Hood.helm", by name. The name of its
	// captain is only known once the game is created.
	Plays   map[string]string
	Dice    string // see vault.Settings
	Beacon  vault.BeaconSettings
	Secret  dice.Secret
	Seed    *uint64 // if Secret was derived from it
	Options Options // Now
}

// ScenarioError says why a scenario cannot be played.
type ScenarioError struct{ Diagnostics []orders.Diagnostic }

// Error returns the first diagnostic and how many there are.
func (e *ScenarioError) Error() string {
	if n := len(e.Diagnostics); n > 1 {
		return fmt.Sprintf("the scenario has %d mistakes, the first: %s", n, e.Diagnostics[0])
	}
	return "the scenario cannot be played: " + e.Diagnostics[0].String()
}

// Hint returns the remedy for the first diagnostic.
func (e *ScenarioError) Hint() string { return e.Diagnostics[0].Hint }

// plan is a requested game.
type plan struct {
	scenario *scenario.Scenario
	rules    *engine.Rules
	state    *engine.Game
	settings vault.Settings
	schedule clock.Schedule
}

// CheckSetup reports what is wrong with a game before it is created, as Create would.
func CheckSetup(c vault.Catalogue, s Setup) error {
	_, err := planned(c, &s)
	return err
}

func planned(c vault.Catalogue, s *Setup) (*plan, error) {
	sc, diags := scenario.Parse(s.Scenario)
	if sc == nil {
		return nil, &ScenarioError{diags}
	}
	if _, known := c[sc.Rules]; !known {
		return nil, &ScenarioError{[]orders.Diagnostic{unknownRules(sc, c)}}
	}
	if odd := sc.NewNames(); len(odd) > 0 {
		return nil, &ScenarioError{odd}
	}
	r, err := c.Rules(sc.Rules, s.Tables)
	if err != nil {
		return nil, err
	}
	s.ID = cmp.Or(s.ID, sc.Name)
	wanted := slices.Clone(s.Captains)
	if s.Mail.Anonymous {
		for i := range wanted { // the players' captains are named as in the scenario
			if c := &wanted[i]; c.Name != "" && c.Address != "" {
				c.Player, c.Name = cmp.Or(c.Player, string(c.Name)), ""
			}
		}
	}
	captains, byShip, err := assign(sc, r.Language.Posts, wanted)
	if err != nil {
		return nil, err
	}
	placed := sc
	if len(s.Secret) > 0 { // a setup that is only checked may have no secret yet
		placed = sc.Drawn(s.Secret, s.ID)
	}
	state, diags := placed.NewGame(r, s.ID, byShip)
	if state == nil {
		return nil, &ScenarioError{diags}
	}
	cadence, err := cadence(s.Cadence, sc, r)
	if err != nil {
		return nil, err
	}
	settings := vault.Settings{
		Format: vault.Format, ID: s.ID, Title: state.Title, Rules: r.Name, Version: r.Version,
		SecretSHA256: dice.Commit(s.Secret), Cadence: cadence, Origin: s.Origin, Seed: s.Seed, Dice: s.Dice, Beacon: s.Beacon, Mail: s.Mail, Captains: captains,
	}
	if settings.PublicDice() && r.Filing != nil {
		return nil, &vault.Error{Path: "dice", Problem: fmt.Sprintf("the turns of rule set %s are played by a referee, with dice of his own", r.Name), Way: "leave dice out", Err: vault.ErrSettings}
	}
	if state.Blind != nil {
		if err := closeOff(&settings.Mail); err != nil {
			return nil, err
		}
	} else if settings.Mail.Open {
		invite(&settings)
	}
	settings.Referees = slices.Clone(s.Referees)
	for i, r := range settings.Referees {
		if seat := s.Plays[r.Name]; seat != "" {
			c, ok := settings.CaptainOf(seat)
			if !ok {
				return nil, fmt.Errorf("referee %s plays %s, which has no captain", r.Name, seat)
			}
			settings.Referees[i].Plays = c.Name
		}
	}
	if err := settings.Check(); err != nil {
		return nil, err
	}
	schedule, err := settings.Schedule()
	if err != nil {
		return nil, err
	}
	if err := policyError(r, settings.Mail.Missing, "--missing"); err != nil {
		return nil, err
	}
	if err := missedError(r, settings.Mail.MissedRule(), ""); err != nil {
		return nil, err
	}
	if _, at, err := settings.Mail.StartRule(); err == nil && !at.IsZero() && settings.Mail.Fill != vault.FillCancel && r.Robot == nil {
		return nil, &vault.Error{
			Path: "start", Problem: fmt.Sprintf("%s has no robot that could take the seats that are free on the date", r.Name), Err: vault.ErrSettings, Way: `fill = "cancel", or start = "full"`,
		}
	}
	for _, c := range captains {
		if c.Robot && r.Robot == nil {
			return nil, &vault.Error{
				Path: "captain " + string(c.Name), Problem: fmt.Sprintf("%s has no robot that could take %s", r.Name, c.Seat()), Err: vault.ErrSettings, Way: "give the seat to someone, or leave it out",
			}
		}
	}
	return &plan{sc, r, state, settings, schedule}, nil
}

// Create creates a game directory with its set-up as turn 0, including reports and mails. A
// *ScenarioError contains the mistakes of the scenario. The outcome is that of turn 0.
func Create(dir string, c vault.Catalogue, s Setup) (*Outcome, error) {
	return CreateIn(directory.At(dir), c, s)
}

// CreateIn is Create for a game that need not be kept in a directory.
func CreateIn(tree record.Tree, c vault.Catalogue, s Setup) (*Outcome, error) {
	p, err := planned(c, &s)
	if err != nil {
		return nil, err
	}
	settings, r := p.settings, p.rules
	out := &Outcome{State: p.state}
	m := vault.Manifest{Resolved: s.Options.Now.UTC().Truncate(time.Second)}
	if settings.PublicDice() {
		m.Beacon = &settings.Beacon
	}
	pub := &turnWriter{
		sealing: s.Secret, settings: settings, schedule: p.schedule, rules: r, state: p.state, options: s.Options,
		key: func(captain engine.CaptainName) string { return auth.TurnKey(s.Secret, s.ID, 1, captain, 0) }, scenario: p.scenario,
	}
	pub.proof.dice = publicdice.Beacons(nil).Words(&settings, 0)
	if settings.InRounds() {
		pub.rounds, out.FirstRound = r.Rounds(), 1
	}
	err = vault.Create(tree, vault.NewGame{
		Settings: settings, Scenario: s.Scenario, Secret: s.Secret, Tables: s.Tables, Manifest: m, Fill: pub.fill(out, nil),
	})
	if err != nil {
		return nil, err
	}
	out.Dir = tree.Place("")
	return out, nil
}

// invite completes the mail settings of a game that anyone may join. Unless the settings say
// otherwise, people may watch it, and its clock waits until all seats are taken.
func invite(s *vault.Settings) {
	s.Mail.Observers = cmp.Or(s.Mail.Observers, vault.ObserversPublic)
	if s.Mail.Start == "" && slices.ContainsFunc(s.Captains, s.Joinable) {
		s.Mail.Start = vault.StartFull
	}
}

// closeOff adapts the mail settings to a blind game: captains are not told about each other.
// Settings that would reveal who plays are refused.
func closeOff(m *vault.MailSettings) error {
	m.Messages, m.ShowMissing = vault.TalkNone, false
	switch {
	case m.Open:
		return &vault.Error{Path: "open", Problem: "a game in the dark has no open seats: asking for one would reveal who plays", Err: vault.ErrSettings, Way: "leave open out, and name the captains"}
	case m.MissedRule().Then == vault.ThenReplace:
		return &vault.Error{Path: "missed", Problem: "in a game in the dark nobody can join a free seat: asking for one would reveal who plays", Err: vault.ErrSettings, Way: "have a robot play it: --mail missed.then=robot"}
	}
	return nil
}

func unknownRules(sc *scenario.Scenario, c vault.Catalogue) orders.Diagnostic {
	known := slices.Sorted(maps.Keys(c))
	return orders.Diagnostic{
		Pos: sc.Where("rules"), Code: "E402", Message: fmt.Sprintf("there is no rule set %q", sc.Rules),
		Hint: orders.DidYouMean("%q", sc.Rules, known, "one of: "+strings.Join(known, ", ")),
	}
}

// assign finds the captain of each ship, and of each post that is held.
func assign(sc *scenario.Scenario, posts []string, wanted []vault.Captain) (captains []vault.Captain, byShip map[string]engine.CaptainName, err error) {
	byShip = map[string]engine.CaptainName{}
	given := map[string]bool{} // ships and posts
	names := make([]string, len(sc.Ships))
	planned := map[string]engine.CaptainName{} // the scenario's captain by ship, and officer by post
	crewed := map[string]bool{}                // ships with a post that is mentioned
	for i, sh := range sc.Ships {
		names[i] = sh.Name
		planned[sh.Name] = cmp.Or(sh.Captain, engine.CaptainName(sh.Name))
		for post, name := range sh.Crew {
			planned[engine.OrderSetName(sh.Name, post)] = name
		}
	}
	add := func(c vault.Captain) {
		for i := range captains {
			have := &captains[i]
			if !have.Name.Is(c.Name) {
				continue
			}
			have.Ships = append(have.Ships, c.Ships...)
			have.Address = cmp.Or(have.Address, c.Address)
			have.PGP = cmp.Or(have.PGP, c.PGP)
			have.Robot = have.Robot || c.Robot
			have.Posts = append(have.Posts, c.Posts...)
			for _, a := range c.Also {
				if !slices.Contains(have.Also, a) {
					have.Also = append(have.Also, a)
				}
			}
			return
		}
		captains = append(captains, c)
	}
	byAddress := map[string]engine.CaptainName{}
	wanted = slices.Clone(wanted) // ships first: captains are named after them
	slices.SortStableFunc(wanted, func(a, b vault.Captain) int { return cmp.Compare(min(1, len(b.Ships)), min(1, len(a.Ships))) })
	for _, w := range wanted {
		if len(w.SetNames()) == 0 {
			return nil, nil, fmt.Errorf("captain %s has no ships", w.Name)
		}
		w.Ships = slices.Clone(w.Ships)
		for i, name := range w.Ships {
			at := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
			if at < 0 {
				return nil, nil, &UnknownShipError{Game: sc.Name, Name: name, Near: orders.Suggest(name, names), Known: names}
			}
			w.Ships[i] = names[at]
			if given[names[at]] {
				return nil, nil, fmt.Errorf("ship %s is given to a captain twice", names[at])
			}
			given[names[at]] = true
		}
		w.Posts = slices.Clone(w.Posts)
		for i, name := range w.Posts {
			dot := strings.LastIndexByte(name, '.')
			ship, post := name[:max(dot, 0)], strings.ToLower(name[dot+1:])
			at := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, ship) })
			if at < 0 || !slices.Contains(posts, post) {
				return nil, nil, &vault.Error{
					Path: "captain " + string(w.Name), Problem: fmt.Sprintf("%q is not a post of the game", name), Err: vault.ErrSettings,
					Way: "ship and post, such as Hood.engineer; posts in these rules: " + cmp.Or(strings.Join(posts, ", "), "none"),
				}
			}
			w.Posts[i] = engine.OrderSetName(names[at], post)
			crewed[names[at]] = true
			if given[w.Posts[i]] {
				return nil, nil, fmt.Errorf("post %s is given to a captain twice", w.Posts[i])
			}
			given[w.Posts[i]] = true
		}
		if w.Name == "" && w.Address != "" {
			w.Name = byAddress[strings.ToLower(w.Address)]
		}
		if w.Name == "" && len(w.Ships) == 0 {
			ship, post, _ := strings.Cut(w.Posts[0], ".")
			w.Name = cmp.Or(planned[w.Posts[0]], engine.CaptainName(post+" of "+ship))
		}
		if w.Name == "" {
			w.Name = planned[w.Ships[0]]
			// The scenario's captain may be only one person.
			for _, have := range captains {
				if have.Name.Is(w.Name) {
					w.Name = engine.CaptainName(w.Ships[0])
					break
				}
			}
		}
		if w.Address != "" {
			byAddress[strings.ToLower(w.Address)] = w.Name
		}
		add(w)
	}
	for _, sh := range sc.Ships {
		if given[sh.Name] {
			continue
		}
		add(vault.Captain{Name: planned[sh.Name], Ships: []string{sh.Name}})
		for _, post := range posts {
			if sh.Crew[post] != "" && !crewed[sh.Name] {
				add(vault.Captain{Name: sh.Crew[post], Posts: []string{engine.OrderSetName(sh.Name, post)}})
			}
		}
	}
	for _, c := range captains {
		for _, name := range c.SetNames() {
			byShip[name] = c.Name
		}
	}
	return captains, byShip, nil
}
