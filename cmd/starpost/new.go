package main

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"net/mail"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"starpost/cmd/setup"
	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/scenario"
	"starpost/pbem/clock"
	"starpost/pbem/console"
	"starpost/pbem/pgp"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

type newFlags struct {
	scenario, rules, cadence, id, robot, deadline, missing, zone, dice string
	captains, tables, options, keys, referees, plays, beacon           []string
	seed                                                               uint64
	blind                                                              bool
}

func newCommand(now func() time.Time) *cobra.Command {
	var f newFlags
	cmd := &cobra.Command{
		Use:   "new DIR --scenario NAME|FILE [--captain SHIP=ADDRESS]...",
		Short: "Make a game directory and the reports of its set-up",
		Long: `Makes a game directory from a scenario, built in or your own. It contains turn 0: the
set-up as every captain sees it, in reports with order templates.

Give captains as SHIP=ADDRESS or SHIP="Name <address>"; the same address for several
ships makes one captain of them. Where the rules have posts, SHIP.POST=ADDRESS gives
another person a post on a ship, and SHIP.POST=open makes it a vacant seat. Posts you do
not name are the captain's. With robot instead of an address, a robot plays the ship or
post until someone joins or is given it.

Captains with an address play by mail: the daemon (starpost serve) sends their reports
and takes their orders, so --robot must be its address. Captains without one play from
files: put their orders into DIR/orders/SHIP.txt.`,
		Example: `  starpost new wolf --scenario big-bad-wolf
  starpost new games/wolf --scenario big-bad-wolf --robot battles@example.org --captain Hood=ann@example.org --captain Riskadh=bo@example.org
  starpost new games/lamb --scenario big-bad-wolf --mail deadline_at=20:00 --mail weekends=skip --mail holidays=DE
  starpost new duel --scenario big-bad-wolf --cadence phase
  starpost new hunt --scenario big-bad-wolf --blind
  starpost new raid --scenario my-raid.toml --ships my-ships.toml`,
		Args:              exactly("a directory"),
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0], now()) },
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
	}
	fl := cmd.Flags()
	fl.StringVar(&f.scenario, "scenario", "", "a built-in scenario (see: starpost scenarios) or a file: `NAME|FILE`")
	fl.StringArrayVar(&f.captains, "captain", nil, "`SHIP=ADDRESS` of a captain who plays by mail (repeatable)")
	fl.StringArrayVar(&f.referees, "referee", nil, "`NAME=ADDRESS` of a referee, who may rule on the game by mail (repeatable)")
	fl.StringArrayVar(&f.plays, "plays", nil, "`NAME=SHIP`: this referee also captains a ship, and all captains are told (repeatable)")
	fl.StringArrayVar(&f.keys, "pgp", nil, "`SHIP=FILE`, the armored OpenPGP public key of that ship's captain; its signature counts as much as a turn key (repeatable)")
	fl.StringArrayVar(&f.tables, "ships", nil, "a TOML `FILE` with ships or weapons of your own (repeatable)")
	fl.StringVar(&f.rules, "rules", "", "the rule `SET` to play it by (default: the scenario's own; see: starpost rules)")
	fl.StringVar(&f.id, "id", "", "the game's `NAME` in orders (default: the directory's name)")
	fl.StringVar(&f.robot, "robot", "", "the daemon's `ADDRESS`, which the game's mails come from; required with captains' addresses")
	fl.StringVar(&f.deadline, "deadline", "", "`TIME` for a turn, such as 48h or 7d (default 3d)")
	fl.StringVar(&f.missing, "missing", "", "`POLICY` for missing orders: "+strings.Join(vault.Policies(), ", ")+" (default standing)")
	fl.StringVar(&f.cadence, "cadence", "", "what each exchange of orders resolves: a `turn`, a phase, or all phases until a break, when something happens (default: the scenario's, or else a turn)")
	fl.StringVar(&f.zone, "zone", "", "time `ZONE` of deadlines, such as Europe/Berlin (default UTC)")
	fl.StringArrayVar(&f.options, "mail", nil, "`KEY=VALUE` for the game's [mail] settings, such as weekends=move or holidays=DE,US (repeatable)")
	fl.StringVar(&f.dice, "dice", "", "where dice come `FROM`: own, the host's secret (default), or beacon, a public beacon's round that does not exist yet when orders close")
	fl.StringArrayVar(&f.beacon, "beacon", nil, "`KEY=VALUE` for the game's [beacon] settings, such as wait=5m or else=own (repeatable)")
	fl.BoolVar(&f.blind, "blind", false, "play in the dark: captains see only what their ships' sensors find, if the rules allow it")
	fl.Uint64Var(&f.seed, "seed", 0, "derive the dice from a `NUMBER`: for tests and demonstrations only; the reports mention it")
	completeFlag(cmd, "scenario", completeScenarios)
	completeFlag(cmd, "rules", fixed(ruleSetNames()...))
	completeFlag(cmd, "captain", shipsOfScenario)
	completeFlag(cmd, "ships", tomlFile)
	completeFlag(cmd, "cadence", fixed(vault.Cadences()...))
	completeFlag(cmd, "dice", fixed(vault.DiceOwn, vault.DiceBeacon))
	completeFlag(cmd, "missing", fixed(vault.Policies()...))
	completeFlag(cmd, "mail", mailKeys)
	return cmd
}

func (f newFlags) run(cmd *cobra.Command, dir string, now time.Time) error {
	if f.scenario == "" {
		return usage("the built-in ones: starpost scenarios", "which scenario? give --scenario")
	}
	file, data, err := scenarioFor(f.scenario, f.rules)
	if err != nil {
		return err
	}
	if f.blind {
		data = scenario.Darkened(data)
	}
	if f.cadence != "" && !slices.Contains(vault.Cadences(), f.cadence) {
		return usage("one of: "+strings.Join(vault.Cadences(), ", "), "--cadence: there is no cadence %q", f.cadence)
	}
	made := turn.Setup{Scenario: data, ID: f.id, Cadence: f.cadence, Mail: vault.DefaultMail(), Options: turn.Options{Now: now}}
	made.ID = cmp.Or(made.ID, gameID(dir))
	made.Mail.Teach, made.Mail.Replay = true, true
	if made.Tables, err = readTables(f.tables); err != nil {
		return err
	}
	if made.Captains, err = parseCaptains(f.captains); err != nil {
		return err
	}
	if made.Referees, made.Plays, err = parseReferees(f.referees, f.plays, made.Captains); err != nil {
		return err
	}
	keys, err := captainKeys(f.keys, made.Captains, now)
	if err != nil {
		return err
	}
	if err := f.mail(&made.Mail); err != nil {
		return err
	}
	made.Dice = f.dice
	for _, o := range f.beacon {
		key, value, ok := strings.Cut(o, "=")
		if !ok {
			return usage("such as --beacon wait=5m", "--beacon %q is not KEY=VALUE", o)
		}
		if err := made.Beacon.Set(key, value); err != nil {
			return usage(wayOut(err), "--beacon: %s", err)
		}
	}
	if f.robot == "" && made.Mail.Robot == vault.DefaultMail().Robot && (byMail(made.Captains) != "" || len(made.Referees) > 0) {
		return usage("give --robot ADDRESS, where ADDRESS is the daemon's address (in starpost.toml)", "the game is played by mail, but no address is given for its mails")
	}
	if cmd.Flags().Changed("seed") {
		made.Secret, made.Seed = dice.FromSeed(f.seed), &f.seed
	} else if made.Secret, err = dice.NewSecret(rand.Reader); err != nil {
		return fmt.Errorf("make the game's secret: %w", err)
	}
	out, err := turn.Create(dir, catalogue(), made)
	if se, ok := errors.AsType[*turn.ScenarioError](err); ok {
		return mistakes(console.Mistakes(file, se.Diagnostics), "one that can, to compare with: starpost scenarios big-bad-wolf", "%s cannot be played; nothing was made", file)
	}
	_, noShip := errors.AsType[*turn.UnknownShipError](err)
	if noShip || errors.Is(err, vault.ErrSettings) { // both come from flags
		return usage(wayOut(err), "%s", err)
	}
	if err != nil {
		return tablesError(err, f.tables, "; nothing was made")
	}
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		if err := writeKey(dir, name, keys[name]); err != nil {
			return err
		}
	}
	if err := warnOfOwner(cmd, dir); err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	fmt.Fprintf(w, "game %s: %s, made in %s\n", made.ID, out.State.Title, dir)
	for _, id := range out.State.InFight() {
		s, _ := out.State.Ship(id)
		fmt.Fprintf(w, "  %s (%s): starpost report %s --as %s\n", s.Name, s.Title, dir, s.Name)
		for _, post := range slices.Sorted(maps.Keys(s.Crew)) {
			fmt.Fprintf(w, "    %s (%s): starpost report %s --as %s/%s\n", s.Crew[post], post, dir, s.Name, post)
		}
	}
	first := vault.Stage{Turn: 1, Round: out.FirstRound}
	if n := byMail(made.Captains); n != "" {
		fmt.Fprintf(w, "the daemon (starpost serve) mails these reports to %s, and takes the answers\n", n)
		fmt.Fprintf(w, "orders for %s may also be put into %s, one file a ship, such as:\n", first, filepath.Join(dir, "orders"))
	} else {
		fmt.Fprintf(w, "orders for %s go into %s, one file a ship, such as:\n", first, filepath.Join(dir, "orders"))
	}
	example := func(as, set string) {
		fmt.Fprintf(w, "  starpost report %s --as %s --template > %s\n", dir, as, filepath.Join(dir, "orders", set+".txt"))
	}
	due := out.State.InFight()
	if len(due) > 0 {
		s, _ := out.State.Ship(due[0])
		example(s.Name, s.Name)
	}
	for _, id := range due {
		if s, _ := out.State.Ship(id); len(s.Crew) > 0 {
			post := slices.Min(slices.Collect(maps.Keys(s.Crew)))
			fmt.Fprintln(w, "and a file of its own for each post, such as:")
			example(s.Name+"/"+post, engine.OrderSetName(s.Name, post))
			break
		}
	}
	return nil
}

// warnOfOwner warns if the game's folder belongs to another user, whose daemon could not open the game.
func warnOfOwner(cmd *cobra.Command, dir string) error {
	owner, err := setup.Owner(filepath.Dir(filepath.Clean(dir)))
	if err != nil {
		return fmt.Errorf("look whose folder %s is in: %w", dir, err)
	}
	if owner == "" || owner == "root" { // root can open any
		return nil
	}
	_, err = fmt.Fprintf(cmd.ErrOrStderr(), "warning: the folder belongs to user %s, the new game does not: a daemon of that user cannot open it\nhint: chown -R %s %s; next time: sudo -u %s starpost new\n", owner, owner, dir, owner)
	return err
}

// byMail lists the addresses that receive reports; "" if there are none.
func byMail(captains []vault.Captain) string {
	var all []string
	for _, c := range captains {
		if c.Address != "" && !slices.Contains(all, c.Address) {
			all = append(all, c.Address)
		}
	}
	return strings.Join(all, ", ")
}

func (f newFlags) mail(m *vault.MailSettings) error {
	for _, o := range f.options {
		key, value, ok := strings.Cut(o, "=")
		if !ok {
			return usage("such as --mail weekends=move", "--mail %q is not KEY=VALUE", o)
		}
		if err := m.Set(key, value); err != nil {
			return usage(wayOut(err), "--mail: %s", err)
		}
	}
	if f.robot != "" {
		a, err := mail.ParseAddress(f.robot)
		if err != nil {
			return usage("such as starpost@example.org", "--robot %q is not a mail address", f.robot)
		}
		m.Robot = a.Address
	}
	if f.deadline != "" {
		span, err := clock.ParseSpan(f.deadline)
		if err != nil {
			return usage("such as 72h or 3d", "--deadline: %s", err)
		}
		m.Deadline = span
	}
	if f.missing != "" {
		m.Missing = f.missing
		if err := knownPolicy(f.missing); err != nil {
			return err
		}
	}
	if f.zone != "" {
		if _, err := time.LoadLocation(f.zone); err != nil {
			return usage("such as UTC or Europe/Berlin", "--zone: %s", err)
		}
		m.Zone = f.zone
	}
	m.Grace, m.Remind = clock.FitSchedule(m.Deadline, m.Grace, m.Remind) // so that game.toml shows the actual values
	return nil
}

// scenarioFor is readScenario with the rule set replaced, if one is given.
func scenarioFor(name, rules string) (file string, data []byte, err error) {
	if file, data, err = readScenario(name); err != nil || rules == "" {
		return file, data, err
	}
	return file, scenario.ForRules(data, rules), knownRules(rules)
}

// gameID makes a game name that orders can use from the name of a directory.
func gameID(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	id := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '-'
	}, filepath.Base(abs))
	return strings.ToLower(strings.Trim(id, "-"))
}

// openSeat, in place of an address, makes a post a seat of its own that has no captain yet.
const openSeat = "open"

// robotSeat in place of an address gives a ship or a post to a robot.
const robotSeat = "robot"

func parseCaptains(list []string) ([]vault.Captain, error) {
	var out []vault.Captain
	for _, c := range list {
		seat, addr, ok := strings.Cut(c, "=")
		post := strings.Contains(seat, ".")
		a, err := mail.ParseAddress(addr)
		if post && addr == openSeat || addr == robotSeat {
			a, err = new(mail.Address), nil
		}
		if !ok || seat == "" || err != nil {
			return nil, usage(`such as --captain Hood=ann@example.org or --captain Hood="Ann <ann@example.org>"`, "--captain %q is not SHIP=ADDRESS", c)
		}
		if err := properName("--captain", a.Name); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(out, func(c vault.Captain) bool { return strings.EqualFold(c.Seat(), seat) }) {
			return nil, usage("one --captain for each ship", "ship %s is given to two captains", seat)
		}
		one := vault.Captain{Name: engine.CaptainName(a.Name), Address: a.Address, Robot: addr == robotSeat}
		if post {
			one.Posts = []string{seat}
		} else {
			one.Ships = []string{seat}
		}
		out = append(out, one)
	}
	return out, nil
}

// properName returns an error if a name cannot be a person's.
func properName(flag, name string) error {
	if problem := engine.PersonName(name); name != "" && problem != "" {
		return usage("letters, digits, spaces, and - . ' , & ( ) between", "%s: %+q is not a name: %s", flag, name, problem)
	}
	return nil
}

func knownPolicy(policy string) error {
	if slices.Contains(vault.Policies(), policy) {
		return nil
	}
	return usage("one of: "+strings.Join(vault.Policies(), ", "), "--missing: there is no policy %q", policy)
}

// parseReferees reads NAME=ADDRESS for each referee, and NAME=SHIP for those who play; seats maps their names to
// seats.
func parseReferees(list, plays []string, captains []vault.Captain) (out []vault.Referee, seats map[string]string, err error) {
	seats = map[string]string{}
	for _, one := range list {
		name, addr, ok := strings.Cut(one, "=")
		a, err := mail.ParseAddress(addr)
		if !ok || name == "" || err != nil {
			return nil, nil, usage("such as --referee Rita=rita@example.org", "--referee %q is not NAME=ADDRESS", one)
		}
		if err := properName("--referee", name); err != nil {
			return nil, nil, err
		}
		out = append(out, vault.Referee{Name: name, Address: a.Address})
	}
	for _, one := range plays {
		name, ship, ok := strings.Cut(one, "=")
		at := slices.IndexFunc(out, func(r vault.Referee) bool { return strings.EqualFold(r.Name, name) })
		if !ok || at < 0 {
			return nil, nil, usage("such as --referee Rita=rita@example.org --plays Rita=Hood", "--plays %q is not NAME=SHIP of a referee", one)
		}
		who := slices.IndexFunc(captains, func(c vault.Captain) bool { return strings.EqualFold(c.Seat(), ship) })
		if who < 0 {
			return nil, nil, usage(fmt.Sprintf("give --captain %s=ADDRESS too", ship), "--plays: no captain is named for ship %s", ship)
		}
		seats[out[at].Name] = ship
	}
	return out, seats, nil
}

// captainKeys reads the keys given as SHIP=FILE, sets each captain's key file in the game directory, and returns the
// contents by file name.
func captainKeys(list []string, captains []vault.Captain, now time.Time) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, k := range list {
		ship, file, ok := strings.Cut(k, "=")
		if !ok || ship == "" || file == "" {
			return nil, usage("such as --pgp Hood=ann.asc", "--pgp %q is not SHIP=FILE", k)
		}
		at := slices.IndexFunc(captains, func(c vault.Captain) bool { return strings.EqualFold(c.Seat(), ship) })
		if at < 0 {
			return nil, usage(fmt.Sprintf("give --captain %s=ADDRESS too", ship), "--pgp: no captain is named for ship %s", ship)
		}
		data, err := readFile("an OpenPGP key", file, pgp.MaxKey)
		if err != nil {
			return nil, err
		}
		key, err := pgp.ParseKey(data)
		if err == nil {
			err = key.Usable(now)
		}
		if told, ok := errors.AsType[*pgp.KeyError](err); ok {
			return nil, usage(told.Way, "--pgp: %s: %s", file, told.Problem)
		}
		captains[at].PGP = vault.KeysDir + "/" + strings.ToLower(captains[at].Seat()) + ".asc"
		out[captains[at].PGP] = data
	}
	return out, nil
}

// writeKey writes a key to a new game directory.
func writeKey(dir, name string, data []byte) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
