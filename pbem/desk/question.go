package desk

import (
	"fmt"
	"strings"

	"starpost/pbem/auth"
	"starpost/pbem/vault"
)

// claimWord names a claim in the Message-ID of the question about it.
func claimWord(claim auth.Claim) string {
	return vault.Hash(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s\x00%d\x00%s", claim.Kind, claim.Game, claim.Captain,
		auth.Canonical(claim.Address), claim.Changes, auth.Canonical(claim.Old)))[:32]
}

// Question is what a question to an address is about, which is known by its Message-ID.
type Question struct {
	Captain vault.Captain
	// Moves tells that the captain asked to have his mails sent to that address;
	// else a new captain takes the seat.
	Moves bool
}

// QuestionOf finds out whose question a mail to an address was; false for a mail that
// is none, and for one whose seat has changed since.
func QuestionOf(g *vault.Game, messageID, address string) (Question, bool) {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(messageID, "<"), KindConfirm+".")
	if !ok {
		return Question{}, false
	}
	word, _, _ := strings.Cut(rest, "@")
	if _, word, ok = strings.Cut(word, "."); !ok {
		return Question{}, false
	}
	for _, of := range g.Settings().Captains {
		claim := auth.Claim{Game: g.ID(), Captain: of.Name, Changes: g.Changes(of.Name), Old: of.Address, Address: address}
		for _, claim.Kind = range []string{claimAddress, claimJoin, claimInvite} {
			if claimWord(claim) == word {
				return Question{Captain: of, Moves: claim.Kind == claimAddress}, true
			}
		}
	}
	return Question{}, false
}
