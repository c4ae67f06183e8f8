package rulebook

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// Posts returns the posts as order-set heads write them, in the order of reports.
func Posts() []string {
	return []string{ship.PostEngineer, ship.PostHelm, ship.PostScience, ship.PostWeapons}
}

// PostOf returns the post that an order belongs to, "" for the captain; all reports whether
// any post may give it (stcs 19.1, 22.1). The verb's row decides.
func (l *Rules) PostOf(section string, st orders.Statement) (post string, all bool) {
	if whose := l.Rows[[2]string{section, st.Verb}].Whose; whose != nil {
		return whose(st), false
	}
	if post = l.Language.PostOf(section, st.Verb); post == orders.AnyPost {
		return ship.PostCaptain, true
	}
	return post, false
}

// Station returns which of a ship's filled posts carries out the duties of a post: the helm
// for weapons if that post is vacant, and the captain for any other vacant post.
func Station(crew map[string]engine.CaptainName, post string) string {
	if post == ship.PostWeapons && crew[post] == "" {
		post = ship.PostHelm
	}
	if crew[post] == "" {
		return ship.PostCaptain
	}
	return post
}

// MayOrder reports whether an order in a post's set may be given by that post, and which post
// owns it. The captain may send the set of a vacant post, except that of weapons while the
// helm has it.
func (l *Rules) MayOrder(crew map[string]engine.CaptainName, post, section string, st orders.Statement) (owner string, ok bool) {
	owner, all := l.PostOf(section, st)
	if all {
		return owner, true
	}
	who := Station(crew, owner)
	if who == post || owner == post && (crew[post] != "" || who == ship.PostCaptain) {
		return who, true
	}
	if post == ship.PostHelm && owner == ship.PostWeapons && crew[ship.PostWeapons] == "" {
		return who, true // part of the helm's set, even one that the captain writes
	}
	return who, false
}

// Manned returns the holders of a ship's posts without the relieved ones.
func Manned(crew map[string]engine.CaptainName, relieved []string) map[string]engine.CaptainName {
	if len(relieved) == 0 {
		return crew
	}
	crew = maps.Clone(crew)
	for _, post := range relieved {
		delete(crew, post)
	}
	return crew
}

// PostTitle returns a post in words.
func PostTitle(post string) string {
	return map[string]string{
		ship.PostCaptain: "the captain", ship.PostEngineer: "the engineer", ship.PostHelm: "the helm", ship.PostScience: "the science officer", ship.PostWeapons: "the weapons officer",
	}[post]
}

// StandingLearn is the verb and the key of the skills that officers want to improve, one a
// post.
const StandingLearn = "learn"

// SkillWord returns the word that orders use for a skill's key in files.
func SkillWord(key string) string { return strings.ReplaceAll(key, "_", "-") }

// SkillKey returns the key in files of the word that orders use for an officer's skill.
func SkillKey(word string) string { return strings.ReplaceAll(word, "-", "_") }

// RatedPosts returns the posts with the ratings of their officers (stcs 19.2). The weapons
// officer uses the weaponry rating of the helm.
func RatedPosts() []family.RatedPost {
	out := []family.RatedPost{{Dexterity: ship.Dexterity + "captain"}}
	for _, post := range Posts() {
		if post == ship.PostWeapons {
			out = append(out, family.RatedPost{Post: post, Skills: []string{ship.SkillWeaponry}})
			continue
		}
		all := ship.SkillsOf()[post]
		out = append(out, family.RatedPost{Post: post, Skills: all[:len(all)-1], Dexterity: all[len(all)-1]})
	}
	return out
}

// SkillWords returns the skills of all officers except the captain, all of whose points go to tactics.
func SkillWords() []string {
	var out []string
	for _, p := range RatedPosts()[1:] {
		for _, skill := range p.Skills {
			if word := SkillWord(skill); !slices.Contains(out, word) {
				out = append(out, word)
			}
		}
	}
	return out
}

// Learner returns the post whose officer may choose a skill. The weapons officer has no choice.
func Learner(skill string) string {
	posts := RatedPosts()
	return posts[max(0, slices.IndexFunc(posts, func(p family.RatedPost) bool { return slices.Contains(p.Skills, skill) }))].Post
}

// NotHisSkill is the mistake of wanting to learn a skill that the post does not have.
func NotHisSkill(post string, st orders.Statement) orders.Diagnostic {
	a, _ := st.Arg("SKILL")
	d := orders.Diagnostic{Pos: a.Pos, Code: "E177", Message: fmt.Sprintf("%s is not a skill of %s", a.Text, PostTitle(post)), Hint: "leave it out: your points need no such order"}
	var his []string
	for _, skill := range ship.SkillsOf()[post] {
		if Learner(skill) == post && post != ship.PostCaptain {
			his = append(his, StandingLearn+" "+SkillWord(skill))
		}
	}
	if len(his) > 0 {
		d.Hint = "write: " + strings.Join(his, ", or ")
	}
	return d
}

// StandingGate is the key of the captain's gate among the standing orders: hold, or a condition.
const StandingGate = "gate"

// StandingFire is the key of what the weapons do in turns without orders from the gunner
// (stcs 22.4), and MostStandingFire the most lines that it may have.
const (
	StandingFire     = "fire"
	MostStandingFire = 6
)

// GateForms is the number of forms of the standing fire order that are the captain's.
const GateForms = 2

// HolderTitle returns a post in words, with its holder.
func (l *Rules) HolderTitle(s *engine.ShipView, post string) string {
	if name := s.Crew[post]; name != "" {
		return fmt.Sprintf("%s (%s)", PostTitle(post), name)
	}
	return fmt.Sprintf("%s (%s)", PostTitle(post), s.Captain)
}

// Keys of standing orders: how much each system gives up at first, and what it gives up first.
const (
	StandingCuts   = "cuts"
	StandingDisarm = "disarm"
	StandingSlow   = "slow"
	StandingLower  = "lower"
)

// VerbLabs is the order to light laboratories, and their word in lists of power to cut.
const VerbLabs = ship.NameLabs
