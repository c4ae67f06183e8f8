package command

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/pbem/auth"
	"starpost/pbem/desk/effect"
	"starpost/pbem/lobby"
	"starpost/pbem/pattern"
)

// questionOf returns the question that one of our mails asked the sender, if it can still be answered.
func (c *Task) questionOf(messageID, sender string) (effect.Question, bool, error) {
	_, domain, _ := strings.Cut(c.Robot.Address, "@")
	sent, ok := effect.ReadQuestionID(messageID, domain)
	if age := c.In.Received.Sub(sent.Day); !ok || age > (effect.TokenDays+1)*24*time.Hour {
		return effect.Question{}, false, nil
	}
	if h := c.Services.Hosting; h != nil && sent.Game == effect.LobbyGame {
		for _, q := range h.Requests.As(c.In.SHA256) {
			claim := requestClaim(q)
			if auth.SameAddress(q.Address, sender) && q.Confirmed.IsZero() && q.Game == "" && effect.QuestionWord(h.Requests.Secret(), claim, sent.Day) == sent.Word {
				return effect.Question{What: fmt.Sprintf("Did you ask for this: %s?", q.Line), Token: effect.QuestionToken(h.Requests.Secret(), claim, sent.Day), Day: sent.Day}, true, nil
			}
		}
	}
	for _, s := range c.People.Games.Settings() {
		if effect.GameWord(*s, sent.Word) != sent.Game {
			continue
		}
		g, err := c.People.Games.Look(s.ID)
		if err != nil {
			return effect.Question{}, false, err
		}
		if q, ok := effect.QuestionOf(g, messageID, sender); ok {
			return q, true, nil
		}
	}
	return effect.Question{}, false, nil
}

// MaxReferences limits how many references of a mail are examined.
const MaxReferences = 20

// Answers returns the open questions that the mail refers to, nearest first.
func (c *Task) Answers(sender string) (out []effect.Question, err error) {
	m := &c.In.Mail
	ids := slices.Clone(m.References[max(0, len(m.References)-MaxReferences):])
	slices.Reverse(ids)
	for _, id := range append([]string{m.InReplyTo}, ids...) {
		q, ok, err := c.questionOf(id, sender)
		if err != nil {
			return nil, err
		}
		if ok && !slices.ContainsFunc(out, func(o effect.Question) bool { return o.Token == q.Token }) {
			out = append(out, q)
		}
	}
	return out, nil
}

// OpenQuestions returns the questions that the sender has not answered: those that the mail refers to, and those
// sent to this address before it came.
func (c *Task) OpenQuestions(sender string) ([]effect.Question, error) {
	out, err := c.Answers(sender)
	if err != nil || c.Services.Asked == nil {
		return out, err
	}
	since := c.In.Received.Add(-effect.TokenDays * 24 * time.Hour)
	ids, err := c.Services.Asked(auth.Canonical(sender), since, c.In.Received)
	if err != nil {
		return nil, err
	}
	byOthers, err := c.Services.Asked(effect.ToAddress(sender), since, c.In.Received)
	if err != nil {
		return nil, err
	}
	for _, id := range append(ids, byOthers...) {
		q, ok, err := c.questionOf(id, sender)
		if err != nil {
			return nil, err
		}
		if ok && len(out) < QuestionsTo && !slices.ContainsFunc(out, func(o effect.Question) bool { return o.What == q.What }) {
			out = append(out, q)
		}
	}
	return out, nil
}

// tokenForm matches a token in the form that questions use.
var tokenForm = pattern.New(`(?i)\b[0-9a-hjkmnp-tv-z]{4}(?:-[0-9a-hjkmnp-tv-z]{4}){3}\b`)

// maxTokens limits how many tokens of a mail are tried.
const maxTokens = 8

// tokens returns the tokens that a command may mean: its own, or else those in the address that the mail went to,
// in the questions that it answers, and in its quotations. Each counts only from the address that was asked.
func (c *Task) tokens(d *Result) ([]string, error) {
	if d.Cmd.Token != "" {
		return []string{d.Cmd.Token}, nil
	}
	var out []string
	add := func(token string) {
		if token, ok := auth.NormaliseToken(token); ok && len(out) < maxTokens && !slices.Contains(out, token) {
			out = append(out, token)
		}
	}
	add(auth.TokenFromAddress(c.In.Mail.WrittenTo(), c.Robot.Address))
	asked, err := c.Answers(c.In.Mail.Senders()[0])
	if err != nil {
		return nil, err
	}
	for _, q := range asked {
		add(q.Token)
	}
	for _, token := range append(tokenForm().FindAllString(c.In.Mail.Text, maxTokens), tokenForm().FindAllString(c.In.Mail.HTMLText(), maxTokens)...) {
		add(token)
	}
	return out, nil
}

// answersQuestion reports, by a cheap check, whether the mail may answer one of our questions.
func (c *Task) answersQuestion() bool {
	m := &c.In.Mail
	_, domain, _ := strings.Cut(c.Robot.Address, "@")
	asked := func(id string) bool { _, ok := effect.ReadQuestionID(id, domain); return ok }
	return auth.TokenFromAddress(m.Recipients(), c.Robot.Address) != "" || asked(m.InReplyTo) || slices.ContainsFunc(m.References, asked) || holdsToken(m.Text)
}

// holdsToken reports whether a text contains something in the form of a token. It applies the expression only
// around suitably placed hyphens: on a whole quoted report it would cost as much as the rest of reading the mail.
func holdsToken(text string) bool {
	for i := 0; i < len(text); i++ {
		n := strings.IndexByte(text[i:], '-')
		if n < 0 {
			return false
		}
		i += n
		if i+15 <= len(text) && text[i+5] == '-' && text[i+10] == '-' && tokenForm().MatchString(text[max(0, i-5):min(len(text), i+16)]) {
			return true
		}
	}
	return false
}

// Daily limits for questions.
const (
	QuestionsTo   = 3  // to one address
	questionsFrom = 5  // for one captain
	questionsGame = 50 // for seats of one game
)

// requestClaim returns the claim that confirms a request.
func requestClaim(q lobby.Request) auth.Claim {
	return auth.Claim{Kind: effect.ClaimRequest, Game: effect.LobbyGame, Request: q.Line, Changes: int(q.Asked.Unix()), Address: q.Address}
}
