package vault

import (
	"maps"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/pbem/clock"
	"starpost/pbem/vault/journal"
)

// AdminState is the current state according to the journal. Captains have their names as in game.toml. It is
// shared: nothing in it may be changed.
type AdminState struct {
	Paused   *Pause                                // nil while the clock runs
	Deadline map[Stage]time.Time                   // deadlines that differ from the manifest's, by turn and round
	Grace    map[Stage]time.Time                   // by turn and round with an opened grace period: its end
	Ready    map[int]time.Time                     // when a turn's orders went to the referee, by turn
	Closed   map[Stage]Closed                      // by turn and round with closed orders
	OwnDice  map[Stage]bool                        // by turn and round that use the host's own dice instead of a beacon's
	Away     []Absence                             // in order of the journal, past ones included
	Vacant   map[engine.CaptainName]time.Time      // vacant seats, and since when; zero: from the start
	Offered  map[engine.CaptainName]bool           // of these, seats that anybody may join
	Votes    map[int]map[engine.CaptainName]string // turn -> captain -> "draw"
	// Changes counts how often each seat changed hands. Turn keys depend on it, so that a former captain does
	// not know the present captain's keys.
	Changes  map[engine.CaptainName]int
	Protests []Protest
	Disputes []Dispute        // one for each protest, in the same order
	Proofs   map[int][]Proven // by the turn of the request, see journal.Proof
	Told     map[string]Told  // what others aboard know about an order set, by its name in lower case
	// Become is the referee who commands a captain's ships together with the captain. Keys counts how often a
	// referee's key was renewed, by the referee's name in lower case.
	Become map[engine.CaptainName]string
	Keys   map[string]int
	Moves  []Move // in order of the journal
	// Begun is when a game that had waited for captains began, and Cancelled when it was called off; zero if
	// it did not happen.
	Begun, Cancelled time.Time
}

// VoteDraw is the vote that the game should end as a draw.
const VoteDraw = "draw"

// Pause is a stopped clock.
type Pause struct {
	By    string
	Why   string
	Since time.Time
	Until time.Time  // zero: until a resume
	Left  clock.Span // time left for the turn when the clock stopped
	Moved bool       // the deadline was set during the pause
}

// Move is a change of a captain's address.
type Move struct {
	Captain engine.CaptainName
	journal.AddressData
}

// Told is what others on a ship were last told about one of her order sets, and its stage.
type Told struct {
	Stage Stage
	Words []journal.ToldWord
}

// Absence is a period in which a captain does not send orders.
type Absence struct {
	Captain  engine.CaptainName
	From, To time.Time
	// StandIn is the address of the person asked to give orders meanwhile, "" for none; Confirmed means that
	// this person agreed.
	StandIn   string
	Confirmed bool
}

// Protest is a protest in the journal.
type Protest struct {
	Seq     int // of the entry
	Captain engine.CaptainName
	At      time.Time
	journal.ProtestData
}

// Proven is a proven request that others could send again.
type Proven struct {
	Captain engine.CaptainName
	Mail    string // SHA-256 of the mail
	journal.ProofData
}

// stageOf returns the stage of an entry about time, its round counted from 1.
func stageOf(e journal.Entry) Stage { return Stage{Turn: e.Turn, Round: e.Round}.first() }

// HasVacant reports whether a captain's seat is vacant.
func (st AdminState) HasVacant(captain engine.CaptainName) bool {
	_, ok := st.Vacant[captain]
	return ok
}

// AwayAt reports whether a captain is away at the given time, and until when.
func (st AdminState) AwayAt(captain engine.CaptainName, at time.Time) (until time.Time, away bool) {
	for _, a := range st.Away {
		if a.Captain.Is(captain) && !at.Before(a.From) && at.Before(a.To) && a.To.After(until) {
			until, away = a.To, true
		}
	}
	return until, away
}

// add folds one valid entry into the admin state and into the captains' addresses and the referees.
func (st *AdminState) add(e journal.Entry, s *Settings) {
	captains := s.Captains
	seat := slices.IndexFunc(captains, func(c Captain) bool { return c.Name.Is(e.Captain) })
	name := e.Captain
	if seat >= 0 {
		name = captains[seat].Name
	}
	switch e.Kind {
	case journal.Join, journal.Resign, journal.Leave, journal.Address, journal.Replace:
		st.seat(e, name, seat, captains)
	case journal.Away:
		d := journal.DataOf[journal.AwayData](e)
		st.Away = append(st.Away, Absence{Captain: name, From: d.From, To: d.To, StandIn: d.StandIn})
	case journal.StandIn:
		d := journal.DataOf[journal.StandInData](e)
		st.Away = slices.Clone(st.Away)
		for i := range st.Away {
			if a := &st.Away[i]; a.Captain == name && a.From.Equal(d.From) && a.To.Equal(d.To) && strings.EqualFold(a.StandIn, d.Address) {
				a.Confirmed = true
			}
		}
	case journal.Back:
		st.Away = slices.Clone(st.Away)
		st.Away = slices.DeleteFunc(st.Away, func(a Absence) bool { return a.Captain == name && !a.From.Before(e.Time) })
		for i := range st.Away {
			if a := &st.Away[i]; a.Captain == name && a.To.After(e.Time) {
				a.To = e.Time
			}
		}
	case journal.VoteDraw:
		if st.Votes[e.Turn] == nil {
			st.Votes[e.Turn] = map[engine.CaptainName]string{}
		}
		st.Votes[e.Turn][name] = VoteDraw
	case journal.Unvote:
		delete(st.Votes[e.Turn], name)
	case journal.Pause:
		d := journal.DataOf[journal.PauseData](e)
		st.Paused = &Pause{By: e.By, Why: e.Why, Since: e.Time, Until: d.Until, Left: d.Left}
		if !d.Deadline.IsZero() {
			st.Deadline[stageOf(e)] = d.Deadline
		}
	case journal.Resume:
		d := journal.DataOf[journal.ResumeData](e)
		st.Paused = nil
		if !d.Deadline.IsZero() {
			st.Deadline[stageOf(e)] = d.Deadline
		}
	case journal.Begin:
		st.Begun = e.Time
		st.Deadline[stageOf(e)] = journal.DataOf[journal.DeadlineData](e).Deadline
	case journal.Cancel:
		st.cancel(e.Time, s)
	case journal.Deadline:
		d := journal.DataOf[journal.DeadlineData](e)
		st.Deadline[stageOf(e)] = d.Deadline
		delete(st.Ready, e.Turn) // orders are accepted again
		st.movePaused()
	case journal.Ready:
		st.Ready[e.Turn] = e.Time
	case journal.Close, journal.OwnDice:
		st.close(e)
	case journal.Grace:
		d := journal.DataOf[journal.GraceData](e)
		st.Grace[stageOf(e)] = d.Ends
	case journal.Protest:
		d := journal.DataOf[journal.ProtestData](e)
		st.Protests = append(st.Protests, Protest{Seq: e.Seq, Captain: name, At: e.Time, ProtestData: d})
		st.Disputes = append(st.Disputes, Dispute{Number: len(st.Protests), Protest: st.Protests[len(st.Protests)-1]})
	case journal.Dispute:
		d := journal.DataOf[journal.DisputeData](e)
		st.step(e, d)
	case journal.Proof:
		d := journal.DataOf[journal.ProofData](e)
		mail, _, _ := strings.Cut(e.Cause, "#")
		st.Proofs[e.Turn] = append(st.Proofs[e.Turn], Proven{Captain: name, Mail: mail, ProofData: d})
	case journal.Told:
		d := journal.DataOf[journal.ToldData](e)
		st.Told[strings.ToLower(d.Set)] = Told{stageOf(e), d.Words}
	case journal.Rollback:
		d := journal.DataOf[journal.RollbackData](e)
		st.forget(d.Turn)
		if !d.Deadline.IsZero() {
			st.Deadline[Stage{Turn: d.Turn + 1, Round: 1}] = d.Deadline
			st.movePaused()
		}
	case journal.Revise:
		st.revise(journal.DataOf[journal.ReviseData](e))
	case journal.Rules:
		d := journal.DataOf[journal.RulesData](e)
		s.Version = d.Version
		st.changeRules(e)
		if !d.Deadline.IsZero() {
			st.Deadline[stageOf(e)] = d.Deadline
		}
	case journal.Zone:
		if seat >= 0 {
			captains[seat].Zone = journal.DataOf[journal.ZoneData](e).Zone
		}
	case journal.Name:
		if seat >= 0 {
			captains[seat].Player = journal.DataOf[journal.NameData](e).Name
		}
	case journal.Referee, journal.Key, journal.Become, journal.GiveBack:
		st.foldReferees(e, name, s)
	case journal.Message, journal.Amend, journal.Looked, journal.Invite, journal.Process: // these have no lasting effect
	}
}

// forget drops the state of turns after one, because they will be played again.
func (st *AdminState) forget(turn int) {
	after := func(n int) bool { return n > turn }
	maps.DeleteFunc(st.Told, func(_ string, t Told) bool { return after(t.Stage.Turn) })
	maps.DeleteFunc(st.Deadline, func(at Stage, _ time.Time) bool { return after(at.Turn) })
	maps.DeleteFunc(st.Grace, func(at Stage, _ time.Time) bool { return after(at.Turn) })
	maps.DeleteFunc(st.Ready, func(n int, _ time.Time) bool { return after(n) })
	maps.DeleteFunc(st.Closed, func(at Stage, _ Closed) bool { return after(at.Turn) })
	maps.DeleteFunc(st.OwnDice, func(at Stage, _ bool) bool { return after(at.Turn) })
	maps.DeleteFunc(st.Votes, func(n int, _ map[engine.CaptainName]string) bool { return after(n) })
}

// seat folds a change of a seat's holder or address.
func (st *AdminState) seat(e journal.Entry, name engine.CaptainName, seat int, captains []Captain) {
	switch e.Kind {
	case journal.Address:
		d := journal.DataOf[journal.AddressData](e)
		if seat >= 0 && strings.EqualFold(captains[seat].Address, d.Old) {
			captains[seat].Address = d.New
			captains[seat].Also = slices.DeleteFunc(slices.Clone(captains[seat].Also), func(a string) bool { return strings.EqualFold(a, d.New) })
		}
		st.Moves = append(st.Moves, Move{Captain: name, AddressData: d})
		if d.Back {
			st.passed(name)
		}
		return
	case journal.Resign:
		d := journal.DataOf[journal.ResignData](e)
		// If game.toml has another address now, a referee filled the seat.
		if seat < 0 || captains[seat].Address == "" || strings.EqualFold(captains[seat].Address, d.Address) {
			st.Vacant[name], st.Offered[name] = e.Time, d.Open
		}
	case journal.Leave:
		d := journal.DataOf[journal.ResignData](e)
		if seat >= 0 && strings.EqualFold(captains[seat].Address, d.Address) {
			captains[seat].handTo("")
			if captains[seat].Robot {
				st.Vacant[name] = time.Time{}
			}
		}
	case journal.Join:
		d := journal.DataOf[journal.JoinData](e)
		if seat >= 0 && (st.HasVacant(name) || captains[seat].Address == "") {
			captains[seat].handTo(d.Address)
		}
		delete(st.Vacant, name)
	case journal.Replace:
		d := journal.DataOf[journal.ReplaceData](e)
		// If game.toml has another address now, a referee filled the seat.
		if seat >= 0 && (st.HasVacant(name) || captains[seat].Address == "" || strings.EqualFold(captains[seat].Address, d.Old)) {
			captains[seat].handTo(d.Address)
		}
		delete(st.Vacant, name)
	}
	st.passed(name)
	st.Away = slices.DeleteFunc(slices.Clone(st.Away), func(a Absence) bool { return a.Captain == name })
}

// cancel folds that the game was called off: its seats are empty, and no one may join.
func (st *AdminState) cancel(at time.Time, s *Settings) {
	st.Cancelled = at
	s.Mail.Open = false
	clear(st.Offered)
	for i := range s.Captains {
		s.Captains[i].handTo("")
	}
}

// handTo gives the seat to another person; "" for none.
func (c *Captain) handTo(address string) {
	c.Address, c.Also, c.PGP, c.Player, c.Zone = address, nil, "", "", ""
}

// passed renews a seat's keys, and withdraws its votes.
func (st *AdminState) passed(name engine.CaptainName) {
	st.Changes[name]++
	for _, votes := range st.Votes {
		delete(votes, name)
	}
}

// Who names the author of an act within a sentence: "the referee", "Rita".
func Who(by string) string {
	if by == "" || strings.ToLower(by) == by { // an office, not a name
		return "the " + by
	}
	return by
}

// Closed records that the orders of a stage are closed.
type Closed struct {
	At    time.Time
	By    string
	Comes time.Time // when the beacon's round is due
	Times int       // how often it was closed: at most once
	journal.CloseData
}

// close folds an entry about public dice.
func (st *AdminState) close(e journal.Entry) {
	if e.Kind == journal.OwnDice {
		st.OwnDice[stageOf(e)] = true
		return
	}
	d := journal.DataOf[journal.CloseData](e)
	st.Closed[stageOf(e)] = Closed{At: e.Time, By: e.By, Times: st.Closed[stageOf(e)].Times + 1, CloseData: d}
}

// revise forgets what a revision undoes.
func (st *AdminState) revise(d journal.ReviseData) {
	if d.Aside > 0 || d.Begun > 0 {
		st.forget(d.Turn + len(d.Later))
	}
}

// movePaused notes that the deadline was set during the pause, if there is one.
func (st *AdminState) movePaused() {
	if st.Paused != nil {
		moved := *st.Paused
		moved.Moved = true
		st.Paused = &moved
	}
}

// changeRules forgets what a change of the rules' version undoes.
func (st *AdminState) changeRules(e journal.Entry) {
	if journal.DataOf[journal.RulesData](e).Begun > 0 {
		st.forget(e.Turn - 1)
	}
}

// Dispute is a protest and its history.
type Dispute struct {
	Number int // from 1, in the order of the protests
	Protest
	Steps []DisputeStep
}

// DisputeStep is what a referee did in a dispute.
type DisputeStep struct {
	Seq int // of the entry
	By  string
	At  time.Time
	journal.DisputeData
}

// Open reports whether the dispute is undecided.
func (d Dispute) Open() bool { return d.Outcome() == "" }

// Outcome is journal.DisputeUphold or journal.DisputeReject, "" while it is open.
func (d Dispute) Outcome() string {
	for _, s := range d.Steps {
		if s.Step != journal.DisputeAnswer {
			return s.Step
		}
	}
	return ""
}

// Dispute returns a dispute by its number.
func (st AdminState) Dispute(n int) (Dispute, bool) {
	if n < 1 || n > len(st.Disputes) {
		return Dispute{}, false
	}
	return st.Disputes[n-1], true
}

// OpenDisputes returns the undecided disputes.
func (st AdminState) OpenDisputes() []Dispute {
	var out []Dispute
	for _, d := range st.Disputes {
		if d.Open() {
			out = append(out, d)
		}
	}
	return out
}

// step folds a step into its dispute. It ignores a dispute that does not exist or is decided.
func (st *AdminState) step(e journal.Entry, d journal.DisputeData) {
	if known, ok := st.Dispute(d.Dispute); ok && known.Open() {
		of := &st.Disputes[d.Dispute-1]
		of.Steps = append(of.Steps, DisputeStep{Seq: e.Seq, By: e.By, At: e.Time, DisputeData: d})
	}
}

// foldReferees folds the entries about referees.
func (st *AdminState) foldReferees(e journal.Entry, name engine.CaptainName, s *Settings) {
	switch e.Kind {
	case journal.Referee:
		d := journal.DataOf[journal.RefereeData](e)
		if _, known := s.Referee(d.Name); !known {
			s.Referees = append(slices.Clone(s.Referees), Referee{Name: d.Name, Address: d.Address})
		}
	case journal.Key:
		d := journal.DataOf[journal.KeyData](e)
		st.Keys[strings.ToLower(d.Name)]++
	case journal.Become:
		st.Become[name] = e.By
	case journal.GiveBack:
		delete(st.Become, name)
	}
}
