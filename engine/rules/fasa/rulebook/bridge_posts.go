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

// Posts are the words of heads for posts, in the order of reports.
func Posts() []string {
	return []string{ship.PostEngineer, ship.PostHelm, ship.PostScience, ship.PostWeapons}
}

// PostOf is the post that an order belongs to, "" for the captain's; all tells that anyone
// aboard may give it (stcs 19.1, 22.1). The rows of its verb say so.
func (l *Rules) PostOf(section string, st orders.Statement) (post string, all bool) {
	if whose := l.Rows[[2]string{section, st.Verb}].Whose; whose != nil {
		return whose(st), false
	}
	if post = l.Language.PostOf(section, st.Verb); post == orders.AnyPost {
		return ship.PostCaptain, true
	}
	return post, false
}

// Station is who sees to a post on a ship with these holders: the helm to weapons where no
// one is at them, and the captain to what is vacant.
func Station(crew map[string]engine.CaptainName, post string) string {
	if post == ship.PostWeapons && crew[post] == "" {
		post = ship.PostHelm
	}
	if crew[post] == "" {
		return ship.PostCaptain
	}
	return post
}

// MayOrder tells whether an order of a post's set is his to give. The set of a vacant post
// is her captain's to send, but where the helm sees to the weapons.
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
		return who, true // his in a set that her captain writes for him
	}
	return who, false
}

// Manned is who holds the posts of a ship whose orders are not the captain's to give.
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

// PostTitle is a post in words.
func PostTitle(post string) string {
	return map[string]string{
		ship.PostCaptain: "the captain", ship.PostEngineer: "the engineer", ship.PostHelm: "the helm", ship.PostScience: "the science officer", ship.PostWeapons: "the weapons officer",
	}[post]
}

// StandingLearn is the verb and the key of the skills that officers want to be better at, one
// a post.
const StandingLearn = "learn"

// SkillWord is a skill as orders write it, skillKey as scenarios do.
func SkillWord(key string) string { return strings.ReplaceAll(key, "_", "-") }

// SkillKey is the key of an officer's skill in files, of the word for it in orders.
func SkillKey(word string) string { return strings.ReplaceAll(word, "-", "_") }

// RatedPosts are the posts with the ratings of their officers (stcs 19.2). Who is at the
// weapons has the helm's rating for them.
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

// SkillWords are those of all officers beside the captain, whose points all go to tactics.
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

// Learner is the post whose officer may choose a skill. Who is at the weapons has no choice.
func Learner(skill string) string {
	posts := RatedPosts()
	return posts[max(0, slices.IndexFunc(posts, func(p family.RatedPost) bool { return slices.Contains(p.Skills, skill) }))].Post
}

// NotHisSkill is for one who wants to learn what his post does not have.
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

// StandingGate is the key of the captain's gate among standing orders: hold, or a condition.
const StandingGate = "gate"

// StandingFire is the key of what the weapons do in turns for which no orders of the gunner's
// came (stcs 22.4), and mostStandingFire how many lines of it there may be.
const (
	StandingFire     = "fire"
	MostStandingFire = 6
)

// GateForms are the forms of the standing order that are the captain's.
const GateForms = 2

// HolderTitle is a post with who holds it.
func (l *Rules) HolderTitle(s *engine.ShipView, post string) string {
	if name := s.Crew[post]; name != "" {
		return fmt.Sprintf("%s (%s)", PostTitle(post), name)
	}
	return fmt.Sprintf("%s (%s)", PostTitle(post), s.Captain)
}

// Keys of standing orders: how much systems give up at first, and what they give up first.
const (
	StandingCuts   = "cuts"
	StandingDisarm = "disarm"
	StandingSlow   = "slow"
	StandingLower  = "lower"
)

// VerbLabs is the order to light laboratories, and the word for them where power is cut.
const VerbLabs = ship.NameLabs
