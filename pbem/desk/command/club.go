package command

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/pbem/auth"
	"starpost/pbem/desk/codes"
	"starpost/pbem/report"
)

// At the mailbox of a club who is not a member may look at all that strangers may, and takes no seat.

// always has a command be for members, whatever it says.
func always(*Command) bool { return true }

// member tells whether a person may take one more seat here, and says why not.
func (c *Task) member(d *Result, address string) (bool, error) {
	club := c.Services.Club
	if club.Closed() {
		list, err := club.List()
		if err != nil {
			return false, err
		}
		_, domain, _ := strings.Cut(address, "@")
		if !slices.ContainsFunc(list, func(m string) bool { return auth.SameAddress(m, address) || strings.EqualFold(m, "@"+domain) }) {
			d.Refuse(codes.NotMember, "the games here are for members of "+club.Name+", and your address is not on their list", cmp.Or(club.Joining, "ask its referee; to look on, send the word games"))
			return false, nil
		}
	}
	if club == nil || club.GamesEach == 0 {
		return true, nil
	}
	running := map[string]bool{}
	for _, s := range c.People.Seats(address) {
		t, err := c.Looked(s.Game)
		if err != nil {
			return false, err
		}
		if t.Pos.Due() > 0 {
			running[s.Game] = true
		}
	}
	if len(running) >= club.GamesEach {
		d.Refuse(codes.TooMuch, fmt.Sprintf("you play %s here already, and %d is the most for one member", report.Count(len(running), "game"), club.GamesEach), "play one to its end, or resign")
		return false, nil
	}
	return true, nil
}
