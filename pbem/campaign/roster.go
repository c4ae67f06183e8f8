// Package campaign maintains a roster: captains and ships that continue from one game to the
// next, with their ratings, and the games that led to them.
//
// It knows the file format and the valid changes. It knows no rule set: ratings,
// victory points, fates and random numbers come from the caller. It does not read
// game directories.
//
// Invariants:
//   - A roster that was read is consistent: every name occurs once, every captain is on at
//     most one ship, every ship has at most one captain, no rating is out of range.
//   - A game is recorded once. The same game again changes nothing; another game
//     under its name, or the same under another name, is refused.
//   - The file is replaced completely or not at all.
package campaign

import (
	"maps"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/orders"
	"starpost/pbem/fault"
)

// Format is the version of the roster file.
const Format = 1

// The states of captains.
const (
	Serving  = "serving"  // on a ship, or waiting for one
	Prisoner = "prisoner" // taken with a ship
	Dead     = "dead"
)

// The states of ships.
const (
	InService = string(family.FateKept)
	Lost      = string(family.FateLost)
	Taken     = string(family.FateTaken)
)

// Roster is a campaign.
type Roster struct {
	Format   int       `toml:"format" json:"format"`
	Name     string    `toml:"name" json:"name"`
	Shares   string    `toml:"shares,omitempty" json:"shares,omitempty"` // how ships share points, in the rule set's terms; "" is its default
	Split    *int      `toml:"split,omitempty" json:"split,omitempty"`   // percentage of a ship's points for her captain; 50 if absent
	Captains []Captain `toml:"captain" json:"captains"`
	Ships    []Ship    `toml:"ship" json:"ships"`
	Games    []Game    `toml:"game" json:"games"`
}

// Captain is a captain with a rating that is independent of the ship, or an officer of a ship, who
// may become captain later. Rolls are the dice of the first rating; none if it was given.
type Captain struct {
	Name   engine.CaptainName `toml:"name" json:"name"`
	Skill  int                `toml:"skill" json:"skill"`
	Split  *int               `toml:"split,omitempty" json:"split,omitempty"` // the campaign's, if absent
	Status string             `toml:"status" json:"status"`
	Ship   string             `toml:"ship,omitempty" json:"ship,omitempty"`
	Post   string             `toml:"post,omitempty" json:"post,omitempty"` // on the ship; "" is her captain
	Points int                `toml:"points" json:"points"`                 // victory points so far
	Rolls  []int              `toml:"rolls,omitempty" json:"rolls,omitempty"`

	Learns  string         `toml:"learns,omitempty" json:"learns,omitempty"`   // the skill that gets an officer's points
	Spare   int            `toml:"spare,omitzero" json:"spare,omitempty"`      // points waiting for a skill
	Ratings map[string]int `toml:"ratings,omitempty" json:"ratings,omitempty"` // of all posts held so far, and Dexterity
}

// dexterity is the key of an officer's personal rating, independent of the post.
const dexterity = "dexterity"

// Place describes where the captain serves; "" ashore.
func (c *Captain) Place() string {
	if c.Post == "" || c.Ship == "" {
		return c.Ship
	}
	return c.Ship + "/" + c.Post
}

// Ship is a ship with her crew; the crew's rating stays with her.
type Ship struct {
	Name       string `toml:"name" json:"name"` // as in scenarios and orders: one word
	Class      string `toml:"class" json:"class"`
	Efficiency int    `toml:"efficiency" json:"efficiency"`
	Status     string `toml:"status" json:"status"`
	Points     int    `toml:"points" json:"points"` // victory points of the crew so far
	Rolls      []int  `toml:"rolls,omitempty" json:"rolls,omitempty"`
}

// Game is a recorded battle. Hash is that of the whole game.
type Game struct {
	ID     string          `toml:"id" json:"id"`
	Hash   string          `toml:"hash" json:"hash"`
	Title  string          `toml:"title" json:"title"`
	Turns  int             `toml:"turns" json:"turns"`
	Result string          `toml:"result" json:"result"`
	Ships  []ServiceRecord `toml:"ship" json:"ships"`
}

// ServiceRecord is the result of a game for a ship of the roster.
type ServiceRecord struct {
	Name    string             `toml:"name" json:"name"`
	Captain engine.CaptainName `toml:"captain" json:"captain"`
	Points  int                `toml:"points" json:"points"`   // total
	Skill   int                `toml:"skill" json:"skill"`     // captain's new rating
	Crew    int                `toml:"crew" json:"crew"`       // new efficiency
	Fate    string             `toml:"fate" json:"fate"`       // of the ship: in service, lost or taken
	Rescued bool               `toml:"rescued" json:"rescued"` // the captain was rescued from her
	Against string             `toml:"against" json:"against"` // ships she helped to defeat

	Officers []OfficerRecord `toml:"officer,omitempty" json:"officers,omitempty"`
}

// OfficerRecord is the result of a game for an officer. Rating is the new rating in Learnt, which
// is empty if the officer has not named a skill.
type OfficerRecord struct {
	Name    engine.CaptainName `toml:"name" json:"name"`
	Post    string             `toml:"post" json:"post"`
	Points  int                `toml:"points" json:"points"`
	Learnt  string             `toml:"learnt,omitempty" json:"learnt,omitempty"`
	Rating  int                `toml:"rating,omitzero" json:"rating,omitempty"`
	Rescued bool               `toml:"rescued,omitzero" json:"rescued,omitempty"`
}

// Error is an invalid roster, or an impossible change to it.
type Error struct{ fault.Fault }

func fail(way, format string, args ...any) error { return &Error{*fault.New(way, format, args...)} }

// Captain returns a captain by name, ignoring case; nil for none.
func (r *Roster) Captain(name engine.CaptainName) *Captain {
	for i := range r.Captains {
		if r.Captains[i].Name.Is(name) {
			return &r.Captains[i]
		}
	}
	return nil
}

// Ship returns a ship by name, ignoring case; nil for none.
func (r *Roster) Ship(name string) *Ship {
	for i := range r.Ships {
		if strings.EqualFold(r.Ships[i].Name, name) {
			return &r.Ships[i]
		}
	}
	return nil
}

// Commander returns the captain of a ship; nil for none.
func (r *Roster) Commander(ship string) *Captain { return r.Officer(ship, "") }

// Officer returns the holder of a post on a ship, "" for her captain's; nil for none.
func (r *Roster) Officer(ship, post string) *Captain {
	for i := range r.Captains {
		if c := &r.Captains[i]; c.Ship != "" && strings.EqualFold(c.Ship, ship) && c.Post == post {
			return c
		}
	}
	return nil
}

// Aboard returns the captain of a ship and her officers, in the order of their posts.
func (r *Roster) Aboard(ship string, posts []family.RatedPost) (all []*Captain) {
	for _, p := range posts {
		if c := r.Officer(ship, p.Post); c != nil {
			all = append(all, c)
		}
	}
	return all
}

// usualSplit is the percentage of a ship's points for her captain, unless the campaign or the
// captain sets another (ruling D39).
const usualSplit = 50

// PointShare returns the percentage of a ship's points for her captain, who may be nil.
func (r *Roster) PointShare(c *Captain) int {
	switch {
	case c != nil && c.Split != nil:
		return *c.Split
	case r.Split != nil:
		return *r.Split
	}
	return usualSplit
}

// Rating is a rating with the dice that made it; no dice if it was given.
type Rating struct {
	Value int
	Rolls []int
}

// Commission adds a new ship to the roster.
func (r *Roster) Commission(name, class string, efficiency Rating) error {
	if r.Ship(name) != nil {
		return fail("choose another name for her", "there is already a ship %s in %s", name, r.Name)
	}
	return r.with(func(n *Roster) {
		n.Ships = append(n.Ships, Ship{Name: name, Class: class, Efficiency: efficiency.Value, Status: InService, Rolls: efficiency.Rolls})
	})
}

// Recruit adds a new captain to the roster. split is the captain's percentage of a ship's points;
// nil for the campaign's.
func (r *Roster) Recruit(name engine.CaptainName, skill Rating, split *int) error {
	if r.Captain(name) != nil {
		return fail("choose another name", "there is already a captain %s in %s", name, r.Name)
	}
	return r.with(func(n *Roster) {
		n.Captains = append(n.Captains, Captain{Name: name, Skill: skill.Value, Split: split, Status: Serving, Rolls: skill.Rolls})
	})
}

// Assign gives a ship a captain, or an officer for a post. Everyone's ratings stay with them, and
// the crew's with the ship. The previous holder is then without a ship, and the assigned person's
// former post is vacant.
func (r *Roster) Assign(captain engine.CaptainName, ship, post string) error {
	c, s := r.Captain(captain), r.Ship(ship)
	switch {
	case c == nil:
		return r.unknown("captain", string(captain))
	case s == nil:
		return r.unknown("ship", ship)
	case c.Status != Serving:
		return fail("choose another captain", "%s is %s", c.Name, statusWords(c.Status))
	case s.Status != InService:
		return fail("choose another ship", "%s is %s", s.Name, s.Status)
	}
	if old := r.Officer(s.Name, post); old != nil && old != c {
		old.goes("", "")
	}
	c.goes(s.Name, post)
	return nil
}

// goes moves the captain to a post of a ship, or ashore. Learns applies to one post only.
func (c *Captain) goes(ship, post string) {
	if c.Post != post {
		c.Learns = ""
	}
	c.Ship, c.Post = ship, post
}

func statusWords(status string) string {
	return map[string]string{Prisoner: "a prisoner", Dead: "dead"}[status]
}

// Release brings a captured captain back.
func (r *Roster) Release(captain engine.CaptainName) error {
	c := r.Captain(captain)
	if c == nil {
		return r.unknown("captain", string(captain))
	}
	if c.Status != Prisoner {
		return fail("", "%s is not a prisoner: %s", c.Name, c.Status)
	}
	c.Status = Serving
	return nil
}

func (r *Roster) unknown(what, name string) error {
	var names []string
	for _, c := range r.Captains {
		if what == "captain" {
			names = append(names, string(c.Name))
		}
	}
	for _, s := range r.Ships {
		if what == "ship" {
			names = append(names, s.Name)
		}
	}
	way := "there is none yet: starpost campaign enter"
	if len(names) > 0 {
		way = "there are " + strings.Join(names, ", ")
	}
	return fail(orders.DidYouMean("%q", name, names, way), "there is no %s %q in %s", what, name, r.Name)
}

// with applies a change to a copy, and keeps it if the result is valid.
func (r *Roster) with(change func(*Roster)) error {
	n := r.clone()
	change(&n)
	if err := n.check(); err != nil {
		return err
	}
	*r = n
	return nil
}

func (r *Roster) clone() Roster {
	n := *r
	n.Captains, n.Ships, n.Games = slices.Clone(r.Captains), slices.Clone(r.Ships), slices.Clone(r.Games)
	for i := range n.Captains {
		n.Captains[i].Ratings = maps.Clone(n.Captains[i].Ratings)
	}
	return n
}
