package fasa

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// posts are the words of heads for posts, in the order of reports.
func posts() []string {
	return []string{ship.PostEngineer, ship.PostHelm, ship.PostScience, ship.PostWeapons}
}

// postOf is the post that an order belongs to, "" for the captain's; all tells that anyone
// aboard may give it (stcs 19.1, 22.1).
func postOf(section string, st orders.Statement) (post string, all bool) {
	switch section {
	case "power":
		post = map[string]string{"move": ship.PostEngineer, "cloak": ship.PostEngineer, verbLabs: ship.PostEngineer, "arm": ship.PostWeapons, "shields": ship.PostScience}[st.Verb]
		return cmp.Or(post, ship.PostHelm), false
	case "phase":
		switch st.Verb {
		case "fire", "aim":
			return ship.PostWeapons, false
		case "lock", "question", "scan", "repair", dark.VerbProbe:
			return ship.PostScience, false
		}
		return ship.PostHelm, false
	case "standing":
		switch st.Verb {
		case "fire":
			if st.Form >= gateForms {
				return ship.PostWeapons, false
			}
			return ship.PostCaptain, false
		case "shed":
			return ship.PostEngineer, false
		case "choose", "sensors", "questions", "scan", "repair", standingLower:
			return ship.PostScience, false
		case standingDisarm, ship.Hold:
			return ship.PostWeapons, false
		case standingLearn:
			a, _ := st.Arg("SKILL")
			return learner(skillKey(a.Text)), false
		case "lose":
			if st.Form == 2 {
				return ship.PostEngineer, false
			}
			return ship.PostWeapons, false
		}
		return ship.PostHelm, false
	}
	switch st.Verb {
	case "break", "final", "wait", "message", "say":
		return "", true
	case "totals":
		return ship.PostEngineer, false
	case "skill":
		if st.Form <= skillFormBoost {
			return ship.PostEngineer, false
		}
		return ship.PostScience, false
	case "warp", "place", "lay", "disengage":
		return ship.PostHelm, false
	case engine.JobStudy, engine.JobReceive, engine.JobSteal, dark.JobDecode, engine.VerbSend:
		return ship.PostScience, false
	}
	return ship.PostCaptain, false
}

// station is who sees to a post on a ship with these holders: the helm to weapons where no
// one is at them, and the captain to what is vacant.
func station(crew map[string]engine.CaptainName, post string) string {
	if post == ship.PostWeapons && crew[post] == "" {
		post = ship.PostHelm
	}
	if crew[post] == "" {
		return ship.PostCaptain
	}
	return post
}

// mayOrder tells whether an order of a post's set is his to give. The set of a vacant post
// is her captain's to send, but where the helm sees to the weapons.
func mayOrder(crew map[string]engine.CaptainName, post, section string, st orders.Statement) (owner string, ok bool) {
	owner, all := postOf(section, st)
	if all {
		return owner, true
	}
	who := station(crew, owner)
	if who == post || owner == post && (crew[post] != "" || who == ship.PostCaptain) {
		return who, true
	}
	if post == ship.PostHelm && owner == ship.PostWeapons && crew[ship.PostWeapons] == "" {
		return who, true // his in a set that her captain writes for him
	}
	return who, false
}

// manned is who holds the posts of a ship whose orders are not the captain's to give.
func manned(crew map[string]engine.CaptainName, relieved []string) map[string]engine.CaptainName {
	if len(relieved) == 0 {
		return crew
	}
	crew = maps.Clone(crew)
	for _, post := range relieved {
		delete(crew, post)
	}
	return crew
}

// postTitle is a post in words.
func postTitle(post string) string {
	return map[string]string{
		ship.PostCaptain: "the captain", ship.PostEngineer: "the engineer", ship.PostHelm: "the helm", ship.PostScience: "the science officer", ship.PostWeapons: "the weapons officer",
	}[post]
}

// standingLearn is the verb and the key of the skills that officers want to be better at, one
// a post.
const standingLearn = "learn"

// skillWord is a skill as orders write it, skillKey as scenarios do.
func skillWord(key string) string { return strings.ReplaceAll(key, "_", "-") }

func skillKey(word string) string { return strings.ReplaceAll(word, "-", "_") }

// ratedPosts are the posts with the ratings of their officers (stcs 19.2). Who is at the
// weapons has the helm's rating for them.
func ratedPosts() []family.RatedPost {
	out := []family.RatedPost{{Dexterity: ship.Dexterity + "captain"}}
	for _, post := range posts() {
		if post == ship.PostWeapons {
			out = append(out, family.RatedPost{Post: post, Skills: []string{ship.SkillWeaponry}})
			continue
		}
		all := ship.SkillsOf()[post]
		out = append(out, family.RatedPost{Post: post, Skills: all[:len(all)-1], Dexterity: all[len(all)-1]})
	}
	return out
}

// skillWords are those of all officers beside the captain, whose points all go to tactics.
func skillWords() []string {
	var out []string
	for _, p := range ratedPosts()[1:] {
		for _, skill := range p.Skills {
			if word := skillWord(skill); !slices.Contains(out, word) {
				out = append(out, word)
			}
		}
	}
	return out
}

// learner is the post whose officer may choose a skill. Who is at the weapons has no choice.
func learner(skill string) string {
	posts := ratedPosts()
	return posts[max(0, slices.IndexFunc(posts, func(p family.RatedPost) bool { return slices.Contains(p.Skills, skill) }))].Post
}

// notHisSkill is for one who wants to learn what his post does not have.
func notHisSkill(post string, st orders.Statement) orders.Diagnostic {
	a, _ := st.Arg("SKILL")
	d := orders.Diagnostic{Pos: a.Pos, Code: "E177", Message: fmt.Sprintf("%s is no skill of %s", a.Text, postTitle(post)), Hint: "leave it out: your points need no word"}
	var his []string
	for _, skill := range ship.SkillsOf()[post] {
		if learner(skill) == post && post != ship.PostCaptain {
			his = append(his, standingLearn+" "+skillWord(skill))
		}
	}
	if len(his) > 0 {
		d.Hint = "write: " + strings.Join(his, ", or ")
	}
	return d
}

// standingGate is the key of the captain's gate among standing orders: hold, or a condition.
const standingGate = "gate"

// standingFire is the key of what the weapons do in turns for which no orders of the gunner's
// came (stcs 22.4), and mostStandingFire how many lines of it there may be.
const (
	standingFire     = "fire"
	mostStandingFire = 6
)

// gateForms are the forms of the standing order that are the captain's.
const gateForms = 2

// holderTitle is a post with who holds it.
func (l *rulebook) holderTitle(s *engine.ShipView, post string) string {
	if name := s.Crew[post]; name != "" {
		return fmt.Sprintf("%s (%s)", postTitle(post), name)
	}
	return fmt.Sprintf("%s (%s)", postTitle(post), s.Captain)
}

// Keys of standing orders: how much systems give up at first, and what they give up first.
const (
	standingCuts   = "cuts"
	standingDisarm = "disarm"
	standingSlow   = "slow"
	standingLower  = "lower"
)

// verbLabs is the order to light laboratories, and the word for them where power is cut.
const verbLabs = ship.NameLabs
