package cup

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"starpost/engine"
	"starpost/pbem/auth"
)

// memberData puts a captain on a board of a team: the next free one, or that of a captain to replace.
type memberData struct {
	Entrant int    `json:"entrant"`
	Board   int    `json:"board"`
	Member  Member `json:"member"`
}

// Missing returns how many captains an entrant lacks. An incomplete team is not paired.
func (c *Cup) Missing(n int) int { return c.Settings.boards() - len(c.entrant(n).Members) }

// Word returns the password that lets captains into a team by mail; its first captain gets it to share.
func (c *Cup) Word(team string) string {
	mac := hmac.New(sha256.New, []byte(c.Settings.Aliases))
	mac.Write([]byte("team " + strings.ToLower(strings.Join(strings.Fields(team), " "))))
	return strings.ToLower(base32.StdEncoding.EncodeToString(mac.Sum(nil))[:8])
}

// JoinTeam adds a captain to a team, or founds the team. An existing team requires its password.
func (c *Cup) JoinTeam(s Source, team, word string, m Member) (Entry, error) {
	switch n := c.teamNamed(team); {
	case c.Settings.boards() == 1:
		return Entry{}, fail("write: cup join "+c.Settings.Name+" as YOUR NAME", "%s is for single captains", c.Settings.Title)
	case c.Settings.Aliases == "":
		return Entry{}, fail("ask the referee", "only the referee enters teams in %s", c.Settings.Title)
	case n == 0:
		return c.Enter(s, team, []Member{m})
	case !hmac.Equal([]byte(strings.ToLower(word)), []byte(c.Word(team))):
		return Entry{}, fail(fmt.Sprintf("ask its founder for the word, and write: cup join %s team %s word WORD", c.Settings.Name, team), "the team %s exists, and you need its word to join", team)
	case c.Missing(n) == 0:
		return Entry{}, fail("", "the team %s is full", team)
	default:
		if err := cmp.Or(c.open(s), c.mayPlay(m)); err != nil {
			return Entry{}, err
		}
		return s.entry(kindMember, memberData{n, len(c.entrant(n).Members), m})
	}
}

// teamNamed returns the number of a team by the name of its entry; 0 for none. In an anonymous cup, only someone
// who knows its name can find it.
func (c *Cup) teamNamed(name string) int {
	for i, e := range c.Entrants {
		if !e.Withdrawn && sameName(e.Name, name) {
			return i + 1
		}
	}
	return 0
}

// Replace replaces a captain, in the games of future rounds.
func (c *Cup) Replace(s Source, old string, m Member) (Entry, error) {
	if c.Over() {
		return Entry{}, fail("", "%s is over", c.Settings.Title)
	}
	n := c.Find(old)
	if n == 0 || c.entrant(n).Withdrawn {
		return Entry{}, fail("cup status "+c.Settings.Name+" lists all", "%q is not in %s", old, c.Settings.Title)
	}
	board := c.board(n, old)
	if board < 0 {
		return Entry{}, fail("give the captain's address", "%s is a team", c.Name(n))
	}
	if err := c.mayPlay(m); err != nil {
		return Entry{}, err
	}
	return s.entry(kindMember, memberData{n, board, m})
}

// board returns the board of an entrant's captain, by address; negative if unknown.
func (c *Cup) board(n int, address string) int {
	for i, m := range c.entrant(n).Members {
		if auth.SameAddress(m.Address, address) || c.Settings.boards() == 1 {
			return i
		}
	}
	return -1
}

// mayPlay returns an error if a person cannot become a captain of this cup.
func (c *Cup) mayPlay(m Member) error {
	problem := engine.PersonName(m.Name)
	switch {
	case auth.Canonical(m.Address) == "":
		return fail("", "%q is not a mail address", m.Address)
	case m.Name != "" && (problem != "" || utf8.RuneCountInString(m.Name) > maxName):
		return fail(fmt.Sprintf("use at most %d letters", maxName), "%q is not a name: %s", m.Name, cmp.Or(problem, "it is too long"))
	}
	if other := c.Of(m.Address); other > 0 {
		return fail("there is nothing to do; to leave it: cup leave "+c.Settings.Name, "%s is already in %s", c.Name(other), c.Settings.Title)
	}
	return nil
}

func (c applier) applyMember(data []byte) error {
	var d memberData
	if err := json.Unmarshal(data, &d); err != nil {
		return err
	}
	if err := c.known(d.Entrant); err != nil {
		return err
	}
	e := c.entrant(d.Entrant)
	switch {
	case d.Board == len(e.Members) && d.Board < c.Settings.boards():
		e.Members, e.Since = append(e.Members, d.Member), c.Paired
	case d.Board >= 0 && d.Board < len(e.Members):
		e.Members[d.Board] = d.Member
	default:
		return fmt.Errorf("entrant %s has no board %d", e.Name, d.Board)
	}
	return nil
}
