package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// segments are files beside the database that hold mails whose bytes are
// nowhere else: those that are queued together lie in one, which is written once,
// before they are committed, and removed when all of them are settled. The
// database names a mail's place; a database that was lost is told by them which
// mails wait.
type segments struct {
	dir     string
	mu      sync.Mutex
	last    int64         // the highest number that was given
	waiting map[int64]int // how many mails wait, by segment
}

// place is where a mail lies; segment 0 is nowhere.
type place struct{ segment, offset, length int64 }

// envelope stands before a mail's bytes.
type envelope struct {
	Game      string `json:"game,omitempty"`
	Kind      Kind   `json:"kind"`
	MessageID string `json:"message_id"`
	From      string `json:"from"`
	To        string `json:"to"`
	QueuedAt  int64  `json:"queued_at"` // microseconds since 1970
}

func (e envelope) message() OutboxMessage {
	return OutboxMessage{Game: e.Game, Kind: e.Kind, MessageID: e.MessageID, From: e.From, To: e.To, QueuedAt: unstamp(e.QueuedAt)}
}

// segmentEnding ends the names of segments; before it stands the number.
const segmentEnding = ".letters"

func (s *segments) path(number int64) string {
	return filepath.Join(s.dir, fmt.Sprintf("%08d%s", number, segmentEnding))
}

// segmentNumber reads the name of a segment; 0 for any other file.
func segmentNumber(name string) int64 {
	digits, ok := strings.CutSuffix(name, segmentEnding)
	n, err := strconv.ParseInt(digits, 10, 64)
	if !ok || err != nil || n <= 0 {
		return 0
	}
	return n
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// recordWord begins the head of a record: then come the lengths of envelope and
// mail, and the checksum of all that follows the head. A record that a crash
// tore does not pass for a mail.
const recordWord = "letter"

// appendRecord adds a mail to the text of a segment.
func appendRecord(text []byte, m OutboxMessage) ([]byte, error) {
	env, err := json.Marshal(envelope{m.Game, m.Kind, m.MessageID, m.From, m.To, stamp(m.QueuedAt)})
	if err != nil {
		return text, fmt.Errorf("keep mail %q: %w", m.MessageID, err)
	}
	sum := crc32.Update(crc32.Checksum(env, castagnoli), castagnoli, m.Bytes)
	text = fmt.Appendf(text, "%s %d %d %08x\n", recordWord, len(env), len(m.Bytes), sum)
	text = append(append(text, env...), '\n')
	return append(append(text, m.Bytes...), '\n'), nil
}

// parseRecord reads the mail at the beginning of text, and how long its record
// is; ok is false when it is not whole. The mail's bytes are a part of text.
func parseRecord(text []byte) (m OutboxMessage, length int, ok bool) {
	head, _, found := bytes.Cut(text[:min(len(text), 80)], []byte("\n"))
	words := strings.Fields(string(head))
	if !found || len(words) != 4 || words[0] != recordWord {
		return OutboxMessage{}, 0, false
	}
	env, eerr := strconv.Atoi(words[1])
	raw, rerr := strconv.Atoi(words[2])
	if eerr != nil || rerr != nil || env <= 0 || raw <= 0 || env > len(text) || raw > len(text) {
		return OutboxMessage{}, 0, false
	}
	from := len(head) + 1
	length = from + env + 1 + raw + 1
	if length > len(text) || text[from+env] != '\n' || text[length-1] != '\n' {
		return OutboxMessage{}, 0, false
	}
	envText, rawText := text[from:from+env], text[from+env+1:length-1:length-1]
	sum := crc32.Update(crc32.Checksum(envText, castagnoli), castagnoli, rawText)
	var e envelope
	if fmt.Sprintf("%08x", sum) != words[3] || json.Unmarshal(envText, &e) != nil {
		return OutboxMessage{}, 0, false
	}
	m = e.message()
	m.Bytes = rawText
	return m, length, true
}

// draft is a segment that is going to be written.
type draft struct {
	number   int64
	text     []byte
	messages int
}

// begin gives the number of a new segment. Anyone who asks has the database to
// himself, so that no other process takes the same.
func (s *segments) begin() (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		s.last++
		_, err := os.Lstat(s.path(s.last))
		if errors.Is(err, fs.ErrNotExist) {
			return s.last, nil
		}
		if err != nil {
			return 0, fmt.Errorf("create an outbox segment: %w", err)
		}
	}
}

// write makes a segment of a draft. It is not on stable storage yet.
func (s *segments) write(d draft) (path string, err error) {
	path = s.path(d.number)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", fmt.Errorf("write an outbox segment: %w", err)
	}
	_, err = f.Write(d.text)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(fmt.Errorf("write an outbox segment: %w", err), s.drop(d.number))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting[d.number] = d.messages
	return path, nil
}

// drop removes a segment of which nothing is needed any more.
func (s *segments) drop(number int64) error {
	s.mu.Lock()
	delete(s.waiting, number)
	s.mu.Unlock()
	if err := removed(os.Remove(s.path(number))); err != nil {
		return fmt.Errorf("remove a settled outbox segment: %w", err)
	}
	return nil
}

// settled notes that a mail of a segment is settled, and removes the segment
// after the last one.
func (s *segments) settled(number int64) error {
	s.mu.Lock()
	s.waiting[number]--
	more := s.waiting[number] > 0
	s.mu.Unlock()
	if more {
		return nil
	}
	return s.drop(number)
}

// numbers lists all segments.
func (s *segments) numbers() ([]int64, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, fmt.Errorf("list outbox segments: %w", err)
	}
	var all []int64
	for _, e := range entries {
		if n := segmentNumber(e.Name()); n > 0 {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return all, nil
}

// messages finds all mails in segments, without their bytes.
func (s *segments) messages() (found []OutboxMessage, err error) {
	numbers, err := s.numbers()
	if err != nil {
		return nil, err
	}
	for _, number := range numbers {
		text, err := os.ReadFile(s.path(number))
		if err != nil {
			return nil, fmt.Errorf("read waiting mails: %w", err)
		}
		for at := 0; at < len(text); {
			m, n, ok := parseRecord(text[at:])
			if !ok {
				break
			}
			m.Bytes, m.at = nil, place{number, int64(at), int64(n)}
			found = append(found, m)
			at += n
		}
	}
	return found, nil
}

// fill reads the bytes of mails that lie in segments. What cannot be read says
// so by itself, for it must not keep the others from being sent.
func (s *segments) fill(messages []OutboxMessage) {
	in := map[int64][]*OutboxMessage{}
	for i := range messages {
		if m := &messages[i]; m.at.segment > 0 && (m.State == Queued || m.State == Ambiguous) {
			in[m.at.segment] = append(in[m.at.segment], m)
		}
	}
	for number, some := range in {
		if err := s.fillFrom(number, some); err != nil {
			for _, m := range some {
				m.Missing = err
			}
		}
	}
}

// fillFrom reads the bytes of mails that lie in one segment, all at once: those
// that were queued together are mostly due together.
func (s *segments) fillFrom(number int64, messages []*OutboxMessage) (err error) {
	from, to := messages[0].at.offset, int64(0)
	for _, m := range messages {
		from, to = min(from, m.at.offset), max(to, m.at.offset+m.at.length)
	}
	f, err := os.Open(s.path(number))
	if err != nil {
		return fmt.Errorf("read waiting mails: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("read waiting mails: %w", err)
	}
	text := make([]byte, max(0, min(to, info.Size())-from))
	if n, err := f.ReadAt(text, from); err != nil && n < len(text) {
		return fmt.Errorf("read waiting mails: %w", err)
	}
	for _, m := range messages {
		at := m.at.offset - from
		got, n, ok := parseRecord(text[min(at, int64(len(text))):])
		if !ok || int64(n) != m.at.length || got.MessageID != m.MessageID {
			m.Missing = fmt.Errorf("mail %q is missing from %s or damaged", m.MessageID, s.path(number))
			continue
		}
		m.Bytes = got.Bytes
	}
	return nil
}

// resume has new segments numbered after all that there are, or were of late.
func (s *segments) resume(ctx context.Context, tx *transaction) error {
	numbers, err := s.numbers()
	if err != nil {
		return err
	}
	var last int64
	err = tx.QueryRowContext(ctx, "SELECT coalesce(max(segment), 0) FROM (SELECT segment FROM outbox ORDER BY id DESC LIMIT 1000)").Scan(&last)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = max(s.last, last, slices.Max(append(numbers, 0)))
	return nil
}

// recount counts the mails that wait in segments, and removes segments without
// any: a crash came before they were committed, or before they were removed.
func (l *Ledger) recount(ctx context.Context) error {
	return l.within(ctx, func(tx *transaction) error {
		waiting, err := countWaiting(ctx, tx)
		if err != nil {
			return err
		}
		numbers, err := l.segments.numbers()
		if err != nil {
			return err
		}
		l.segments.mu.Lock()
		l.segments.waiting = waiting
		l.segments.mu.Unlock()
		for _, n := range numbers {
			if waiting[n] == 0 {
				if err := l.segments.drop(n); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func countWaiting(ctx context.Context, tx *transaction) (map[int64]int, error) {
	waiting := map[int64]int{}
	_, err := collect(ctx, tx, "count waiting mails", func(row scanner) (number int64, err error) {
		var n int
		err = row.Scan(&number, &n)
		waiting[number] = n
		return number, err
	}, "SELECT segment, count(*) FROM outbox WHERE state IN ('queued', 'ambiguous') AND segment > 0 GROUP BY segment")
	return waiting, err
}
