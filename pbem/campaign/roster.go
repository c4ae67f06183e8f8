// Package campaign keeps a roster: captains and ships that go from one game to the
// next, with their ratings, and the games that made them what they are.
//
// It knows the file and what may follow from what. It knows no rule set: ratings,
// victory points and fates are handed to it, as is chance. It does not look into
// game directories.
//
// Invariants:
//   - A roster that is read is whole: every name is there once, every captain on at
//     most one ship, every ship with at most one captain, no rating out of range.
//   - A game is recorded once. The same game again changes nothing; another game
//     under its name, or the same under another name, is refused.
//   - The file is replaced whole or not at all.
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

// Format of a roster file.
const Format = 1

// Where captains are.
const (
	Serving  = "serving"  // on a ship, or waiting for one
	Prisoner = "prisoner" // taken with a ship
	Dead     = "dead"
)

// Where ships are.
const (
	InService = string(family.FateKept)
	Lost      = string(family.FateLost)
	Taken     = string(family.FateTaken)
)

// Roster is a campaign.
type Roster struct {
	Format   int       `toml:"format" json:"format"`
	Name     string    `toml:"name" json:"name"`
	Shares   string    `toml:"shares,omitempty" json:"shares,omitempty"` // how ships share points, in the rule set's words; its usual way if absent
	Split    *int      `toml:"split,omitempty" json:"split,omitempty"`   // per cent of a ship's points that go to her captain; 50 if absent
	Captains []Captain `toml:"captain" json:"captains"`
	Ships    []Ship    `toml:"ship" json:"ships"`
	Games    []Game    `toml:"game" json:"games"`
}

// Captain is one with a rating of his own, whatever ship he has, or an officer of a ship, who
// may be a captain yet. Rolls are the dice of his first rating; none if it was given.
type Captain struct {
	Name   engine.CaptainName `toml:"name" json:"name"`
	Skill  int                `toml:"skill" json:"skill"`
	Split  *int               `toml:"split,omitempty" json:"split,omitempty"` // the campaign's, if absent
	Status string             `toml:"status" json:"status"`
	Ship   string             `toml:"ship,omitempty" json:"ship,omitempty"`
	Post   string             `toml:"post,omitempty" json:"post,omitempty"`   // on the ship; blank: he commands her
	Points int                `toml:"points" json:"points"`                   // victory points so far
	Rolls  []int              `toml:"rolls,omitempty" json:"rolls,omitempty"` //

	Learns  string         `toml:"learns,omitempty" json:"learns,omitempty"`   // the skill that an officer's points go to
	Spare   int            `toml:"spare,omitzero" json:"spare,omitempty"`      // points that wait for one
	Ratings map[string]int `toml:"ratings,omitempty" json:"ratings,omitempty"` // of the posts that he has had, and Dexterity
}

// dexterity is the key of an officer's own, whatever his post.
const dexterity = "dexterity"

// Place is where he serves, in words; blank ashore.
func (c *Captain) Place() string {
	if c.Post == "" || c.Ship == "" {
		return c.Ship
	}
	return c.Ship + "/" + c.Post
}

// Ship is a ship with her crew, whose rating stays with her.
type Ship struct {
	Name       string `toml:"name" json:"name"` // as scenarios and orders call her: one word
	Class      string `toml:"class" json:"class"`
	Efficiency int    `toml:"efficiency" json:"efficiency"`
	Status     string `toml:"status" json:"status"`
	Points     int    `toml:"points" json:"points"` // victory points of the crew so far
	Rolls      []int  `toml:"rolls,omitempty" json:"rolls,omitempty"`
}

// Game is a battle that is recorded. Hash is that of the game's whole course.
type Game struct {
	ID     string          `toml:"id" json:"id"`
	Hash   string          `toml:"hash" json:"hash"`
	Title  string          `toml:"title" json:"title"`
	Turns  int             `toml:"turns" json:"turns"`
	Result string          `toml:"result" json:"result"`
	Ships  []ServiceRecord `toml:"ship" json:"ships"`
}

// ServiceRecord is what a ship of the roster got out of a game.
type ServiceRecord struct {
	Name    string             `toml:"name" json:"name"`
	Captain engine.CaptainName `toml:"captain" json:"captain"`
	Points  int                `toml:"points" json:"points"`   // all of them
	Skill   int                `toml:"skill" json:"skill"`     // of the captain, afterwards
	Crew    int                `toml:"crew" json:"crew"`       // efficiency, afterwards
	Fate    string             `toml:"fate" json:"fate"`       // of the ship: in service, lost or taken
	Rescued bool               `toml:"rescued" json:"rescued"` // the captain was saved from her
	Against string             `toml:"against" json:"against"` // whom she helped to defeat

	Officers []OfficerRecord `toml:"officer,omitempty" json:"officers,omitempty"`
}

// OfficerRecord is what an officer got out of a game. Rating is that of Learnt afterwards; a
// skill that he has not named is blank.
type OfficerRecord struct {
	Name    engine.CaptainName `toml:"name" json:"name"`
	Post    string             `toml:"post" json:"post"`
	Points  int                `toml:"points" json:"points"`
	Learnt  string             `toml:"learnt,omitempty" json:"learnt,omitempty"`
	Rating  int                `toml:"rating,omitzero" json:"rating,omitempty"`
	Rescued bool               `toml:"rescued,omitzero" json:"rescued,omitempty"`
}

// Error is a roster that cannot be, or something that cannot be done to it.
type Error struct{ fault.Fault }

func fail(way, format string, args ...any) error { return &Error{*fault.New(way, format, args...)} }

// Captain finds a captain by name, case ignored; nil for none.
func (r *Roster) Captain(name engine.CaptainName) *Captain {
	for i := range r.Captains {
		if r.Captains[i].Name.Is(name) {
			return &r.Captains[i]
		}
	}
	return nil
}

// Ship finds a ship by name, case ignored; nil for none.
func (r *Roster) Ship(name string) *Ship {
	for i := range r.Ships {
		if strings.EqualFold(r.Ships[i].Name, name) {
			return &r.Ships[i]
		}
	}
	return nil
}

// Commander is the captain of a ship; nil for none.
func (r *Roster) Commander(ship string) *Captain { return r.Officer(ship, "") }

// Officer is who has a post on a ship, "" for her captain's; nil for no one.
func (r *Roster) Officer(ship, post string) *Captain {
	for i := range r.Captains {
		if c := &r.Captains[i]; c.Ship != "" && strings.EqualFold(c.Ship, ship) && c.Post == post {
			return c
		}
	}
	return nil
}

// Aboard are the captain of a ship and her officers, in the order of their posts.
func (r *Roster) Aboard(ship string, posts []family.RatedPost) (all []*Captain) {
	for _, p := range posts {
		if c := r.Officer(ship, p.Post); c != nil {
			all = append(all, c)
		}
	}
	return all
}

// usualSplit is the per cent of a ship's points that her captain has, unless the
// campaign or he says otherwise (ruling D39).
const usualSplit = 50

// PointShare is the per cent of a ship's points that go to her captain, who may be nil.
func (r *Roster) PointShare(c *Captain) int {
	switch {
	case c != nil && c.Split != nil:
		return *c.Split
	case r.Split != nil:
		return *r.Split
	}
	return usualSplit
}

// Rating is a rating and the dice that made it; none if it was given.
type Rating struct {
	Value int
	Rolls []int
}

// Commission puts a new ship into the roster.
func (r *Roster) Commission(name, class string, efficiency Rating) error {
	if r.Ship(name) != nil {
		return fail("choose another name for her", "there is already a ship %s in %s", name, r.Name)
	}
	return r.with(func(n *Roster) {
		n.Ships = append(n.Ships, Ship{Name: name, Class: class, Efficiency: efficiency.Value, Status: InService, Rolls: efficiency.Rolls})
	})
}

// Recruit puts a new captain into the roster. Split is the per cent of his ships'
// points that he takes for himself; nil for the campaign's.
func (r *Roster) Recruit(name engine.CaptainName, skill Rating, split *int) error {
	if r.Captain(name) != nil {
		return fail("choose another name", "there is already a captain %s in %s", name, r.Name)
	}
	return r.with(func(n *Roster) {
		n.Captains = append(n.Captains, Captain{Name: name, Skill: skill.Value, Split: split, Status: Serving, Rolls: skill.Rolls})
	})
}

// Assign gives a ship a captain, or an officer at a post. All keep their ratings: his are his
// own, the crew's stays with the ship. Who was there before is without a ship then, and
// the place that he leaves is vacant.
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

// goes puts him to a post of a ship, or ashore. What he learns he learns for a post.
func (c *Captain) goes(ship, post string) {
	if c.Post != post {
		c.Learns = ""
	}
	c.Ship, c.Post = ship, post
}

func statusWords(status string) string {
	return map[string]string{Prisoner: "a prisoner", Dead: "dead"}[status]
}

// Release brings a captain back who was a prisoner.
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

// with changes a copy and keeps it if it is a roster.
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
