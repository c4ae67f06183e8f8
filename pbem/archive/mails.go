package archive

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/chain"
	"starpost/pbem/mime"
	"starpost/pbem/referee"
	"starpost/pbem/vault"
)

// mails returns the order mails of a game without addresses, and the reasons why others are left
// out.
func mails(ctx context.Context, g *vault.Game, bag referee.Postbag) (out []member, left []string, err error) {
	if bag.Host == nil {
		return nil, []string{"the mails: it was made without the daemon's directory"}, nil
	}
	came, err := bag.Mails(ctx, g, time.Time{}, time.Time{})
	if err != nil || len(came) == 0 {
		return nil, nil, err
	}
	slices.SortStableFunc(came, func(a, b referee.Mail) int {
		if c := a.Received.Compare(b.Received); c != 0 {
			return c
		}
		return strings.Compare(a.SHA256, b.SHA256)
	})
	for _, m := range came {
		if len(m.Sets) == 0 {
			continue // commands and other mails from captains
		}
		why := func(format string, args ...any) {
			left = append(left, fmt.Sprintf("mail %s: ", m.SHA256)+fmt.Sprintf(format, args...))
		}
		raw, err := bag.Load(ctx, m.SHA256)
		if err != nil {
			why("its bytes are gone")
			continue
		}
		mail, err := mime.Read(raw)
		if err != nil {
			why("it cannot be read")
			continue
		}
		if other := otherGame(mail, g.ID()); other {
			why("it holds orders of another game too")
			continue
		}
		out = append(out, member{fmt.Sprintf("%s/%04d.txt", mailsDir, len(out)+1), reduce(m, mail)})
	}
	return out, left, nil
}

// otherGame reports whether a mail also has orders for another game.
func otherGame(mail mime.Mail, id string) bool {
	raws, _ := orders.ScanText(mail.Text)
	more, _ := orders.Scan([]byte(mail.Attached))
	return slices.ContainsFunc(append(raws, more...), func(r orders.Raw) bool {
		return r.Head.Game != "" && !strings.EqualFold(r.Head.Game, id)
	})
}

// reduce returns the parts of a mail that can be shown.
func reduce(m referee.Mail, mail mime.Mail) []byte {
	shown := func(text string) string { return chain.Mask(auth.Mask(text, nil)) }
	var b strings.Builder
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, strings.Join(strings.Fields(value), " "))
		}
	}
	field("Received", m.Received.UTC().Format(time.RFC3339))
	if !mail.Date.IsZero() {
		field("Date", mail.Date.UTC().Format(time.RFC3339))
	}
	if mail.MessageID != "" {
		field("Message-ID-SHA256", vault.Hash([]byte(mail.MessageID)))
	}
	field("Mail-SHA256", m.SHA256)
	field("Captain", string(m.Captain))
	field("Outcome", m.Outcome)
	for _, s := range m.Sets {
		set := fmt.Sprintf("%s, turn %d", s.Name, s.Turn)
		if s.Proof != "" {
			set += ", by " + s.Proof
		}
		field("Set", shown(set))
	}
	field("Subject", shown(mail.Subject))
	b.WriteString("\n" + plain(shown(mail.Text)))
	if mail.Attached != "" && mail.Attached != mail.Text {
		b.WriteString("\n-- attached --\n" + plain(shown(mail.Attached)))
	}
	return []byte(b.String())
}

// pressFile holds the published messages between captains, if there are any.
const pressFile = mailsDir + "/messages.txt"

// press returns that file; its data is nil if there are no messages, or if the game does not
// publish them.
func press(g *vault.Game) (member, error) {
	said, err := chain.Press(g)
	var b strings.Builder
	for _, m := range said {
		fmt.Fprintf(&b, "Turn %d, %s: %s to %s\n", m.Turn, m.At.UTC().Format(time.RFC3339), m.From, m.To)
		for line := range strings.Lines(plain(m.Text)) {
			b.WriteString("  " + line)
		}
		b.WriteString("\n")
	}
	return member{pressFile, []byte(b.String())}, err
}

// plain ends a text with a newline, and removes control characters.
func plain(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return -1
		}
		return r
	}, text)
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}
