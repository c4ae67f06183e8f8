package effect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/pbem/auth"
	"starpost/pbem/outgoing"
	"starpost/pbem/vault"
	"starpost/templates"
)

// Kinds of claims confirmed by a token.
const (
	ClaimJoin    = "join"
	ClaimAddress = "address"
	ClaimStandIn = "stand in" // for a captain who is away
	ClaimInvite  = "invite"   // an invitation by a referee, to any game
	ClaimUndo    = "undo"     // a change of address
	ClaimRequest = "request"  // a game, or a place on the waiting list
)

// ToAddress returns the key that counts the questions to an address that others caused.
func ToAddress(address string) string { return "to " + auth.Canonical(address) }

// LobbyGame stands in for a game in questions that are about none.
const LobbyGame = "lobby"

// Query is a question that asks an address to confirm a claim.
type Query struct {
	Game    vault.Settings // or a stand-in for the lobby
	Shown   string         // name of the game in the mail
	Subject string         // "" for a question that asks to confirm the claim
	Secret  []byte         // secret of the tokens
	Claim   auth.Claim
}

// Ask returns the mail with a question. Each claim has one question a day.
func (d *Robot) Ask(q Query, day time.Time, text ...string) (outgoing.Message, error) {
	_, domain, _ := strings.Cut(d.Address, "@")
	token := QuestionToken(q.Secret, q.Claim, day)
	m := d.mail(vault.Settings{ID: q.Shown}, outgoing.Address{Addr: q.Claim.Address}, cmp.Or(q.Subject, "Please confirm: "+q.Claim.Kind), day)
	m.MessageID, m.Auto = questionID(q.Game, q.Secret, q.Claim, day, domain), outgoing.AutoReplied
	if !d.NoPlus {
		m.ReplyTo = outgoing.Address{Name: m.From.Name, Addr: auth.WithKey(d.Address, token)}
	}
	text = append(append(text, d.How("confirm", token)...), fmt.Sprintf("You can do so until %s. If you do not want this, do nothing.", day.Add(TokenDays*24*time.Hour).Format("Mon 2 Jan 2006")))
	var err error
	m.Text, err = d.Templates.NoticeText(templates.Notice{Kind: templates.Confirm, Game: q.Shown, Title: q.Game.Title, Text: text})
	return m, err
}

// TokenDays is the number of days in which a question can be answered.
const TokenDays = 7

// questionID returns the Message-ID of the question about a claim. Only its recipient knows it, so
// a reply that refers to it is as good as the token. It contains the day, so that there is one
// question a day. Its last word is the lobby's, or identifies the game without revealing it to an
// outsider.
func questionID(s vault.Settings, secret []byte, claim auth.Claim, day time.Time, domain string) string {
	word := QuestionWord(secret, claim, day)
	return fmt.Sprintf("<%s.%s.%s.%s@%s>", KindConfirm, day.UTC().Format(time.DateOnly), word, GameWord(s, word), domain)
}

// GameWord identifies the game of a question for those who know the game.
func GameWord(s vault.Settings, word string) string {
	if s.ID == LobbyGame {
		return LobbyGame
	}
	return vault.Hash([]byte(s.SecretSHA256 + " " + s.ID + " " + word))[:16]
}

// QuestionWord returns the unguessable part of a question's Message-ID.
func QuestionWord(secret []byte, claim auth.Claim, day time.Time) string {
	claim.Kind = "question " + claim.Kind
	return strings.ToLower(strings.ReplaceAll(auth.Token(secret, claim, day), "-", ""))
}

// QuestionToken returns the token in the question of a day.
func QuestionToken(secret []byte, claim auth.Claim, day time.Time) string {
	return auth.Token(secret, claim, day.Add(TokenDays*24*time.Hour))
}

// SentQuestion is the content of a question's Message-ID.
type SentQuestion struct {
	Day        time.Time
	Word, Game string
}

// ReadQuestionID reads the Message-ID of a question of this domain.
func ReadQuestionID(id, domain string) (q SentQuestion, ok bool) {
	local, at, _ := strings.Cut(strings.Trim(id, "<>"), "@")
	words := strings.Split(local, ".")
	if len(words) != 4 || words[0] != KindConfirm || !strings.EqualFold(at, domain) {
		return q, false
	}
	day, err := time.Parse(time.DateOnly, words[1])
	return SentQuestion{day, words[2], words[3]}, err == nil
}

// Question is the subject of a question to an address, identified by its Message-ID.
type Question struct {
	Captain vault.Captain
	// Moves means that the captain wants mails sent to that address; otherwise a new captain takes
	// the seat.
	Moves bool

	What, Token string
	Day         time.Time
}

// QuestionOf returns the question that the mail with this Message-ID asked an address; false if it
// asked none, or if the seat has changed since.
func QuestionOf(g *vault.Game, messageID, address string) (Question, bool) {
	_, domain, _ := strings.Cut(strings.Trim(messageID, "<>"), "@")
	sent, ok := ReadQuestionID(messageID, domain)
	if !ok {
		return Question{}, false
	}
	s := g.Settings()
	st, err := g.AdminState()
	if err != nil {
		return Question{}, false
	}
	for _, a := range st.Away {
		of, _ := s.Captain(a.Captain)
		if claim := StandInClaim(g, of, a); a.StandIn != "" && auth.SameAddress(a.StandIn, address) && QuestionWord(g.Secret(), claim, sent.Day) == sent.Word {
			what := fmt.Sprintf("Will you stand in for %s in %s?", of.Titled(), s.Title)
			return Question{Captain: of, Token: QuestionToken(g.Secret(), claim, sent.Day), Day: sent.Day, What: what}, true
		}
	}
	for _, of := range s.Captains {
		claim := auth.Claim{Game: g.ID(), Captain: of.Name, Changes: g.Changes(of.Name), Old: of.Address, Address: address}
		for _, claim.Kind = range []string{ClaimAddress, ClaimJoin, ClaimInvite} {
			if QuestionWord(g.Secret(), claim, sent.Day) != sent.Word {
				continue
			}
			q := Question{Captain: of, Moves: claim.Kind == ClaimAddress, Token: QuestionToken(g.Secret(), claim, sent.Day), Day: sent.Day}
			switch {
			case !q.Moves:
				q.What = fmt.Sprintf("Do you want the seat of %s in %s?", of.Titled(), s.Title)
			case Plays(s, address):
				q.What = fmt.Sprintf("Should the mails of %s in %s come to this address?", of.Titled(), s.Title)
			default:
				q.What = "Should the mails of a game come to this address?"
			}
			return q, true
		}
	}
	return Question{}, false
}

// StandInClaim returns what a proposed stand-in confirms for an absence.
func StandInClaim(g *vault.Game, of vault.Captain, a vault.Absence) auth.Claim {
	return auth.Claim{
		Kind: ClaimStandIn, Game: g.ID(), Captain: of.Name, Changes: g.Changes(of.Name), Old: of.Address, Address: a.StandIn,
		Request: fmt.Sprintf("%d %d", a.From.Unix(), a.To.Unix()),
	}
}

// Plays reports whether an address has a seat in a game: in a question to any other address,
// neither game nor seat is named.
func Plays(s vault.Settings, address string) bool {
	return slices.ContainsFunc(s.Captains, func(o vault.Captain) bool { return auth.HasAddress(o.Addresses(), address) })
}
