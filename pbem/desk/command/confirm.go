package command

import (
	"fmt"
	"strings"

	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/cup/bymail"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/lobby"
	"starpost/pbem/vault"
)

// confirm carries out the confirmed request if the token is right.
func confirm(c *Task, d *Result, _ []identity.Seat) error {
	senders := c.In.Mail.Senders()
	tokens, err := c.tokens(d)
	if err != nil {
		return err
	}
	if len(tokens) == 0 {
		d.Refuse(codes.BadToken, "nothing in the mail shows which question it answers", "reply to the mail with the question, or write the line it gives")
		return nil
	}
	for _, token := range tokens {
		if len(senders) != 1 || !effect.Answerable(senders[0]) {
			break
		}
		if ok, err := fitsRequest(c, d, token, senders[0]); err != nil || ok {
			return err
		}
		for _, s := range c.People.Games.Settings() {
			for _, o := range s.Captains {
				ok, err := fits(c, d, s.ID, o, token, senders[0])
				if err != nil || ok {
					return err
				}
				if ok, err := standInFits(c, d, s.ID, o, token, senders[0]); err != nil || ok {
					return err
				}
			}
		}
	}
	d.Refuse(codes.BadToken, "the token is wrong, already used, or too old, or another person has the seat by now",
		fmt.Sprintf("reply from the address that the question went to, within %d days; or ask again", effect.TokenDays))
	return nil
}

// fits carries out what a token confirms, if the token is for that captain.
func fits(c *Task, d *Result, id string, who vault.Captain, token, sender string) (bool, error) {
	kind := effect.ClaimAddress
	if who.Address == "" {
		kind = effect.ClaimJoin
	}
	g, err := c.People.Games.Look(id)
	if err != nil {
		return false, err
	}
	claim := auth.Claim{Kind: kind, Game: id, Captain: who.Name, Changes: g.Changes(who.Name), Old: who.Address, Address: sender}
	if !claim.Confirms(g.Secret(), token, c.In.Received) {
		if claim.Kind = effect.ClaimInvite; kind != effect.ClaimJoin || !claim.Confirms(g.Secret(), token, c.In.Received) {
			return false, nil
		}
	}
	t, err := c.Opened(id)
	if err != nil {
		return false, err
	}
	// Check again, now that no other process writes to the game.
	if claim.Changes = t.Game.Changes(who.Name); !claim.Confirms(t.Game.Secret(), token, c.In.Received) {
		return false, nil
	}
	if now, ok := t.Game.Settings().Captain(who.Name); !ok || now.Address != who.Address {
		return false, nil
	}
	d.Game, d.Pos, d.Captain, d.Changes = t.Game, t.Pos, who, claim.Changes
	if kind == effect.ClaimAddress {
		return true, addressMoved(c, d, sender)
	}
	if ok, err := c.member(d, sender); err != nil || !ok {
		return true, err
	}
	return true, giveSeat(c, d, sender, claim.Kind == effect.ClaimInvite)
}

// fitsRequest carries out what a token confirms, if the token is for a request of the sender.
func fitsRequest(c *Task, d *Result, token, sender string) (bool, error) {
	h := c.Services.Hosting
	if h == nil {
		return false, nil
	}
	for _, q := range h.Requests.As(c.In.SHA256) {
		if !auth.SameAddress(q.Address, sender) || !requestClaim(q).Confirms(h.Requests.Secret(), token, c.In.Received) {
			continue
		}
		c.To = sender
		if !q.Confirmed.IsZero() || q.Game != "" {
			d.Refuse(codes.BadToken, "you have already confirmed that", "")
			return true, nil
		}
		words := strings.Fields(q.Line)
		if takes := words[0] != "observe" && (words[0] != "cup" || bymail.Enters(words[1:])); takes {
			if ok, err := c.member(d, sender); err != nil || !ok {
				return true, err
			}
		}
		if words[0] == "cup" {
			return true, cupConfirmed(c, d, q)
		}
		w, err := lobby.ReadWish(words[1:])
		if err != nil {
			return true, fmt.Errorf("request %q: %w", q.Line, err)
		}
		w.Text = q.Scenario
		switch words[0] {
		case "offers":
			offersConfirmed(c, d, q)
		case "observe":
			err = observes(c, d, q, c.People.Seats(sender, c.In.Received))
		case "practice":
			err = makeGame(c, d, w, vault.OriginPractice, []lobby.Request{q})
		case "create":
			err = makeGame(c, d, w, vault.OriginMail, []lobby.Request{q})
		default:
			err = match(c, d, q)
		}
		return true, err
	}
	return false, nil
}

func (r *commandReader) token() {
	if len(r.rest) == 0 {
		return
	}
	at := r.rest[0]
	token, ok := auth.NormaliseToken(orders.JoinWords(r.rest, " "))
	if !ok {
		r.fail(at, "this is not a token: it has sixteen letters and digits")
		return
	}
	r.cmd.Token, r.rest = token, nil
}
