package campaign

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/orders"
)

// ashorePost replaces a post for an officer who leaves the ship.
const ashorePost = "ashore"

// Posting assigns a post to an officer.
type Posting struct {
	Post    string
	Officer engine.CaptainName
}

// ParsePosting parses POST=NAME; "captain" stands for "", and "ashore", allowed only in a rotation,
// for no post.
func ParsePosting(text string, by *family.CampaignRules, ashore bool) (Posting, error) {
	post, name, ok := strings.Cut(text, "=")
	post, name = strings.ToLower(strings.TrimSpace(post)), strings.TrimSpace(name)
	known := append([]string{captainsPost}, postNames(by)...)
	if ashore {
		known = append(known, ashorePost)
	}
	switch {
	case !ok || name == "":
		return Posting{}, fail("such as helm=Sulu", "%q is not a post and officer", text)
	case !slices.Contains(known, post):
		return Posting{}, fail(orders.DidYouMean("%q", post, known, "one of "+strings.Join(known, ", ")), "there is no post %q", post)
	case post == captainsPost:
		post = ""
	}
	return Posting{Post: post, Officer: engine.CaptainName(name)}, nil
}

// Rotate assigns new posts on a ship to her officers and to people ashore, all at once. The
// previous holder of a post must get another one, or go ashore.
func (r *Roster) Rotate(ship string, to []Posting) error {
	s := r.Ship(ship)
	if s == nil {
		return r.unknown("ship", ship)
	}
	if s.Status != InService {
		return fail("choose another ship", "%s is %s", s.Name, s.Status)
	}
	for i, p := range to {
		c := r.Captain(p.Officer)
		switch {
		case c == nil:
			return r.unknown("captain", string(p.Officer))
		case c.Status != Serving:
			return fail("choose another officer", "%s is %s", c.Name, statusWords(c.Status))
		case c.Ship != "" && c.Ship != s.Name:
			return fail("transfer the officer with: starpost campaign enter ROSTER "+s.Name+" --officer POST="+string(c.Name), "%s serves on %s, not on %s", c.Name, c.Ship, s.Name)
		}
		for _, other := range to[:i] {
			switch {
			case other.Officer.Is(p.Officer):
				return fail("give each officer one post", "%s is given two posts", c.Name)
			case other.Post == p.Post && p.Post != ashorePost:
				return fail("give each post one officer", "%s is given to two, %s and %s", postWord(p.Post), other.Officer, p.Officer)
			}
		}
	}
	for _, p := range to {
		o := r.Officer(s.Name, p.Post)
		if o != nil && !slices.ContainsFunc(to, func(p Posting) bool { return p.Officer.Is(o.Name) }) {
			return fail(fmt.Sprintf("give %s another post or a place ashore: %s=%s", o.Name, ashorePost, o.Name), "%s of %s is taken, by %s", postWord(p.Post), s.Name, o.Name)
		}
	}
	return r.with(func(n *Roster) {
		for _, p := range to {
			if c := n.Captain(p.Officer); p.Post == ashorePost {
				c.goes("", "")
			} else {
				c.goes(s.Name, p.Post)
			}
		}
	})
}

func postWord(post string) string {
	if post == "" {
		return captainsPost
	}
	return post
}

// Transfer moves everyone who came off a lost or taken ship to another ship, each to the same post. Anyone who has another ship by now stays there.
func (r *Roster) Transfer(from, to string) error {
	was, s := r.Ship(from), r.Ship(to)
	switch {
	case was == nil:
		return r.unknown("ship", from)
	case s == nil:
		return r.unknown("ship", to)
	case was.Status == InService:
		return fail("give them other posts with: starpost campaign rotate, or enter", "%s is in service: no one had to leave her", was.Name)
	case s.Status != InService:
		return fail("choose another ship", "%s is %s", s.Name, s.Status)
	}
	var moves []Posting
	for _, g := range r.Games {
		for _, rec := range g.Ships {
			if rec.Name != was.Name {
				continue
			}
			moves = []Posting{{"", rec.Captain}}
			for _, o := range rec.Officers {
				moves = append(moves, Posting{o.Post, o.Name})
			}
		}
	}
	moves = slices.DeleteFunc(moves, func(p Posting) bool {
		c := r.Captain(p.Officer)
		return c == nil || c.Status != Serving || c.Ship != ""
	})
	if len(moves) == 0 {
		return fail("record who was rescued with: starpost campaign record --rescued, and bring prisoners back with free", "no one from %s is waiting for a ship", was.Name)
	}
	for _, p := range moves {
		if o := r.Officer(s.Name, p.Post); o != nil {
			return fail("put that officer ashore first: starpost campaign rotate ROSTER "+s.Name+" "+ashorePost+"="+string(o.Name), "%s of %s is taken, by %s", postWord(p.Post), s.Name, o.Name)
		}
	}
	return r.Rotate(s.Name, moves)
}

// Learn directs an officer's points to a skill of their post from now on, and spends the waiting
// points at once. It returns the new rating.
func (r *Roster) Learn(officer engine.CaptainName, skill string, by *family.CampaignRules) (rating int, err error) {
	c := r.Captain(officer)
	if c == nil {
		return 0, r.unknown("captain", string(officer))
	}
	post, _ := ratedPost(by, c.Post)
	skill = strings.ReplaceAll(strings.ToLower(skill), "-", "_")
	switch {
	case c.Ship == "":
		return 0, fail("assign a post: starpost campaign enter ROSTER SHIP --officer POST="+string(c.Name), "%s has no post, and skills go with posts", c.Name)
	case c.Post == "":
		return 0, fail("use learn for other officers", "%s is captain of %s: a captain's points go to skill as captain", c.Name, c.Ship)
	case !slices.Contains(post.Skills, skill):
		return 0, fail(orders.DidYouMean("%q", skill, post.Skills, "one of "+strings.Join(post.Skills, ", ")), "the %s does not use %q", c.Post, skill)
	case by.Grow(c.Ratings[skill], 1) == c.Ratings[skill]:
		return 0, fail("name another skill: "+strings.Join(post.Skills, ", "), "%s of %s is %d, the highest rating", skill, c.Name, c.Ratings[skill])
	}
	c.Learns = skill
	c.spend(by)
	return c.Ratings[skill], nil
}

// Train rolls the missing ratings of a ship's people for their posts, if she has officers, and
// describes the results.
func (r *Roster) Train(ship string, by *family.CampaignRules, roll func(name string, base int) Rating) (said []string) {
	all := r.Aboard(ship, by.Posts)
	if !slices.ContainsFunc(all, func(c *Captain) bool { return c.Post != "" }) {
		return nil
	}
	for _, c := range all {
		p, _ := ratedPost(by, c.Post)
		var rolled []string
		rate := func(key string, base int) {
			if c.Ratings[key] > 0 {
				return
			}
			if c.Ratings == nil {
				c.Ratings = map[string]int{}
			}
			rating := roll(string(c.Name)+"."+key, base)
			c.Ratings[key] = rating.Value
			rolled = append(rolled, key+" "+rating.Told(base))
		}
		for _, skill := range p.Skills {
			rate(skill, by.SkillBase)
		}
		if p.Dexterity != "" {
			rate(dexterity, by.DexterityBase)
		}
		if len(rolled) > 0 {
			said = append(said, string(c.Name)+": "+strings.Join(rolled, ", "))
		}
	}
	return said
}

// Told returns a rating with the dice that made it, added to base.
func (r Rating) Told(base int) string {
	if len(r.Rolls) == 0 {
		return fmt.Sprint(r.Value)
	}
	return fmt.Sprintf("%d (%d and dice %s)", r.Value, base, strings.Trim(fmt.Sprint(r.Rolls), "[]"))
}
