package fasa

import (
	"fmt"
	"strconv"

	"starpost/engine"
)

// Crew is what a ship's crew has lost, in tenths of a per cent (stcs 15.13).
type Crew struct {
	Lost int `json:"lost,omitempty"`
}

// Crew is a ship's.
func (s *System) Crew() *Crew { return shareOf[Crew](s) }

func (*Crew) key() string { return "crew" }

func (c *Crew) clone() Share {
	k := *c
	return &k
}

// shortHanded is what casualties take from to-hit and repair numbers: 1 for each
// full 10 per cent of the crew (stcs 15.14, ruling D41).
func shortHanded(sys *System) int { return sys.Crew().Lost / 100 }

// efficiency is a crew's rating, lowered by 10 for each full 10 per cent that is
// lost (stcs 15.14).
func efficiency(sys *System) int { return max(0, sys.People().Efficiency-10*shortHanded(sys)) }

// perCent is a figure of tenths of a per cent in words.
func perCent(tenths int) string {
	if tenths%10 == 0 {
		return strconv.Itoa(tenths/10) + "%"
	}
	return fmt.Sprintf("%d.%d%%", tenths/10, tenths%10)
}

// People are a ship's captain and crew (stcs 12.1, 12.2). A rating that is due is
// average until it is rolled, as the first turn begins.
type People struct {
	Skill         int  `json:"skill"`      // the captain's rating in per cent
	Efficiency    int  `json:"efficiency"` // the crew's rating in per cent
	SkillDue      bool `json:"skill_due,omitempty"`
	EfficiencyDue bool `json:"efficiency_due,omitempty"`
}

// People are a ship's.
func (s *System) People() *People { return shareOf[People](s) }

func (*People) key() string { return "people" }

func (p *People) clone() Share {
	c := *p
	return &c
}

// ratingWords is a rating, or how it will be rolled.
func ratingWords(rating int, due bool, base int) string {
	if due {
		return fmt.Sprintf("rolled as the first turn begins (three dice and %d)", base)
	}
	return strconv.Itoa(rating)
}

// Rated is the ratings of a ship's captain and crew, as they were rolled (stcs 12.1,
// 12.2).
type Rated struct {
	Ship       string `json:"ship"`
	Skill      int    `json:"skill"`
	Efficiency int    `json:"efficiency"`
}

// Type implements engine.Body.
func (*Rated) Type() string { return "ratings" }

// Apply implements engine.Body.
func (b *Rated) Apply(g *engine.Game) error {
	s, err := system(g, b.Ship)
	if err != nil {
		return err
	}
	if !s.Has("people") {
		return fmt.Errorf("%s has no captain and crew", b.Ship)
	}
	*s.People() = People{Skill: b.Skill, Efficiency: b.Efficiency}
	return nil
}

// skill is the rating of a ship's captain, 0 where there are none.
func skill(s *engine.Ship) int { return of(s).People().Skill }
