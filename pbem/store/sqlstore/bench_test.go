package sqlstore_test

import (
	"context"
	"fmt"
	"testing"

	"starpost/pbem/store"
)

// BenchmarkMail does what a store does for one order mail: it comes in, is answered, and the answer goes out. Each step is a
// commit, as for a mail that comes alone.
func BenchmarkMail(b *testing.B) {
	for adapter, open := range adapters {
		b.Run(adapter, func(b *testing.B) {
			l := open(b)
			n := 0
			for b.Loop() {
				n++
				raw := fmt.Appendf(nil, "Message-ID: <%d@x>\r\n\r\n%01500d\r\n", n, n)
				m := store.Mail{Ref: store.Ref{Mailbox: "INBOX", UIDValidity: 7, UID: uint32(n)}, SHA256: store.ContentHash(raw), MessageID: fmt.Sprintf("%d@x", n), ReceivedAt: noon}
				var err error
				if m.ID, err = l.RecordStored(b.Context(), m, raw); err != nil {
					b.Fatal(err)
				}
				if err := l.Group(b.Context(), func(ctx context.Context) error {
					answer := message(fmt.Sprintf("answer-%d@x", n))
					answer.Bytes = raw
					if _, err := l.Queue(ctx, answer); err != nil {
						return err
					}
					if _, err := l.RecordAnswer(ctx, "ann@example.org", "ack", m.SHA256, noon); err != nil {
						return err
					}
					return l.RecordAnswered(ctx, "orders taken", m)
				}); err != nil {
					b.Fatal(err)
				}
				list, err := l.Due(b.Context(), noon, 1)
				if err != nil || len(list) != 1 {
					b.Fatal(list, err)
				}
				if err := l.MarkSent(b.Context(), list[0].ID, 1, noon); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
