package desk

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/pbem/auth"
	"starpost/pbem/outgoing"
	"starpost/pbem/pattern"
	"starpost/pbem/vault"
	"starpost/templates"
)

// questionID is the Message-ID of the question about a claim. Only its receiver knows it, so a
// reply that refers to it is as good as the token. The day is in it, so that there is one a day.
// Its last word is the lobby's, or finds the game without naming it to who does not play in it.
func questionID(s vault.Settings, secret []byte, claim auth.Claim, day time.Time, domain string) string {
	word := questionWord(secret, claim, day)
	return fmt.Sprintf("<%s.%s.%s.%s@%s>", KindConfirm, day.UTC().Format(time.DateOnly), word, gameWord(s, word), domain)
}

// gameWord finds the game of a question by what only those know who know the game.
func gameWord(s vault.Settings, word string) string {
	if s.ID == lobbyGame {
		return lobbyGame
	}
	return vault.Hash([]byte(s.SecretSHA256 + " " + s.ID + " " + word))[:16]
}

// questionWord is what no one can guess of it.
func questionWord(secret []byte, claim auth.Claim, day time.Time) string {
	claim.Kind = "question " + claim.Kind
	return strings.ToLower(strings.ReplaceAll(auth.Token(secret, claim, day), "-", ""))
}

// questionToken is the token that a question of a day brings.
func questionToken(secret []byte, claim auth.Claim, day time.Time) string {
	return auth.Token(secret, claim, day.Add(tokenDays*24*time.Hour))
}

// sentQuestion is what the Message-ID of a question tells.
type sentQuestion struct {
	day        time.Time
	word, game string
}

func readQuestionID(id, domain string) (q sentQuestion, ok bool) {
	local, at, _ := strings.Cut(strings.Trim(id, "<>"), "@")
	words := strings.Split(local, ".")
	if len(words) != 4 || words[0] != KindConfirm || !strings.EqualFold(at, domain) {
		return q, false
	}
	day, err := time.Parse(time.DateOnly, words[1])
	return sentQuestion{day, words[2], words[3]}, err == nil
}

// Question is what a question to an address is about, which is known by its Message-ID.
type Question struct {
	Captain vault.Captain
	// Moves tells that the captain asked to have his mails sent to that address;
	// else a new captain takes the seat.
	Moves bool

	game, what, token string
	day               time.Time
}

// QuestionOf finds out whose question a mail to an address was; false for a mail that
// is none, and for one whose seat has changed since.
func QuestionOf(g *vault.Game, messageID, address string) (Question, bool) {
	_, domain, _ := strings.Cut(strings.Trim(messageID, "<>"), "@")
	sent, ok := readQuestionID(messageID, domain)
	if !ok {
		return Question{}, false
	}
	s := g.Settings()
	for _, of := range s.Captains {
		claim := auth.Claim{Game: g.ID(), Captain: of.Name, Changes: g.Changes(of.Name), Old: of.Address, Address: address}
		for _, claim.Kind = range []string{claimAddress, claimJoin, claimInvite} {
			if questionWord(g.Secret(), claim, sent.day) != sent.word {
				continue
			}
			q := Question{Captain: of, Moves: claim.Kind == claimAddress, game: s.ID, token: questionToken(g.Secret(), claim, sent.day), day: sent.day}
			switch {
			case !q.Moves:
				q.what = fmt.Sprintf("Do you want the seat of %s in %s?", of.Titled(), s.Title)
			case plays(s, address):
				q.what = fmt.Sprintf("Should the mails of %s in %s come to this address?", of.Titled(), s.Title)
			default:
				q.what = "Should the mails of a game come to this address?"
			}
			return q, true
		}
	}
	return Question{}, false
}

// plays tells whether an address has a seat in a game: to others a question about another's address names neither.
func plays(s vault.Settings, address string) bool {
	return slices.ContainsFunc(s.Captains, func(o vault.Captain) bool { return auth.HasAddress(o.Addresses(), address) })
}

// questionOf finds what a mail of ours asked the sender who may still answer.
func (c *task) questionOf(messageID, sender string) (Question, bool, error) {
	_, domain, _ := strings.Cut(c.robot.Address, "@")
	sent, ok := readQuestionID(messageID, domain)
	if age := c.in.Received.Sub(sent.day); !ok || age > (tokenDays+1)*24*time.Hour {
		return Question{}, false, nil
	}
	if h := c.services.Hosting; h != nil && sent.game == lobbyGame {
		for _, q := range h.Requests.As(c.in.SHA256) {
			claim := requestClaim(q)
			if auth.SameAddress(q.Address, sender) && q.Confirmed.IsZero() && q.Game == "" && questionWord(h.Requests.Secret(), claim, sent.day) == sent.word {
				return Question{game: lobbyGame, what: fmt.Sprintf("Did you ask for this: %s?", q.Line), token: questionToken(h.Requests.Secret(), claim, sent.day), day: sent.day}, true, nil
			}
		}
	}
	for _, s := range c.people.Games.Settings() {
		if gameWord(*s, sent.word) != sent.game {
			continue
		}
		g, err := c.people.Games.Look(s.ID)
		if err != nil {
			return Question{}, false, err
		}
		if q, ok := QuestionOf(g, messageID, sender); ok {
			return q, true, nil
		}
	}
	return Question{}, false, nil
}

// maxReferences is how many mails before are looked at that a mail says it answers.
const maxReferences = 20

// answers are the open questions that the mail says it answers, nearest first.
func (c *task) answers(sender string) (out []Question, err error) {
	m := &c.in.Mail
	ids := slices.Clone(m.References[max(0, len(m.References)-maxReferences):])
	slices.Reverse(ids)
	for _, id := range append([]string{m.InReplyTo}, ids...) {
		q, ok, err := c.questionOf(id, sender)
		if err != nil {
			return nil, err
		}
		if ok && !slices.ContainsFunc(out, func(o Question) bool { return o.token == q.token }) {
			out = append(out, q)
		}
	}
	return out, nil
}

// openQuestions are the questions that the sender has not answered: those that the mail answers,
// and those that went to him before it came.
func (c *task) openQuestions(sender string) ([]Question, error) {
	out, err := c.answers(sender)
	if err != nil || c.services.Asked == nil {
		return out, err
	}
	since := c.in.Received.Add(-tokenDays * 24 * time.Hour)
	ids, err := c.services.Asked(auth.Canonical(sender), since, c.in.Received)
	if err != nil {
		return nil, err
	}
	byOthers, err := c.services.Asked(ToAddress(sender), since, c.in.Received)
	if err != nil {
		return nil, err
	}
	for _, id := range append(ids, byOthers...) {
		q, ok, err := c.questionOf(id, sender)
		if err != nil {
			return nil, err
		}
		if ok && len(out) < questionsTo && !slices.ContainsFunc(out, func(o Question) bool { return o.what == q.what }) {
			out = append(out, q)
		}
	}
	return out, nil
}

// how tells how a token is sent back, by a command.
func (d *Robot) how(verb, token string) []string {
	return []string{fmt.Sprintf("To %s, answer this mail with the one word %s as its first line, or send a mail to %s with this line:", verb, verb, d.Address), verb + " " + token}
}

// remind words what the sender has not answered.
func (c *Decision) remind(open []Question) (out []string) {
	for i, q := range open {
		out = append(out, fmt.Sprintf("A question to you has been open since %s: %s Nothing is done before you confirm it.", q.day.Format("2 Jan 2006"), q.what))
		if how := c.robot.how("confirm", q.token); i == 0 {
			out = append(out, how...)
		} else {
			out = append(out, "The line for this one:", how[1])
		}
	}
	return out
}

// reminder is the answer to a stranger who has not answered a question.
func (c *Decision) reminder(now time.Time) (*Answer, error) {
	a := &Answer{Kind: KindText, Message: c.message(KindText, c.in.SHA256[:min(32, len(c.in.SHA256))], now)}
	if !c.robot.NoPlus {
		a.Message.ReplyTo = outgoing.Address{Name: a.Message.From.Name, Addr: auth.WithKey(c.robot.Address, c.open[0].token)}
	}
	n := templates.Notice{Kind: templates.Confirm, Text: c.remind(c.open)}
	if c.why != "" {
		n.Text = append([]string{c.why}, n.Text...)
	}
	return a, c.notice(a, "Please confirm: a question to you is open", n)
}

// The form of a token, as a question has it.
var tokenForm = pattern.New(`(?i)\b[0-9a-hjkmnp-tv-z]{4}(?:-[0-9a-hjkmnp-tv-z]{4}){3}\b`)

// maxTokens is how many tokens of a mail are tried.
const maxTokens = 8

// tokens are those that a command may have meant: the one that it gives, or else that of the
// address that the mail went to, those of the questions that it answers, and those in its
// quotations. Each counts only from the address that was asked.
func (c *task) tokens(d *commandResult) ([]string, error) {
	if d.cmd.Token != "" {
		return []string{d.cmd.Token}, nil
	}
	var out []string
	add := func(token string) {
		if token, ok := auth.NormaliseToken(token); ok && len(out) < maxTokens && !slices.Contains(out, token) {
			out = append(out, token)
		}
	}
	add(auth.TokenFromAddress(c.in.Mail.WrittenTo(), c.robot.Address))
	asked, err := c.answers(c.in.Mail.Senders()[0])
	if err != nil {
		return nil, err
	}
	for _, q := range asked {
		add(q.token)
	}
	for _, token := range append(tokenForm().FindAllString(c.in.Mail.Text, maxTokens), tokenForm().FindAllString(c.in.Mail.HTMLText(), maxTokens)...) {
		add(token)
	}
	return out, nil
}

// answersQuestion tells at a glance whether the mail may answer a question of ours.
func (c *task) answersQuestion() bool {
	m := &c.in.Mail
	_, domain, _ := strings.Cut(c.robot.Address, "@")
	asked := func(id string) bool { _, ok := readQuestionID(id, domain); return ok }
	return auth.TokenFromAddress(m.Recipients(), c.robot.Address) != "" || asked(m.InReplyTo) || slices.ContainsFunc(m.References, asked) || tokenForm().MatchString(m.Text)
}
