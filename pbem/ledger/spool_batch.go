package ledger

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"

	"starpost/pbem/disk"
)

// SpoolBatch is mails that come together and are stored together. Many of them lie in
// one file, a pack: making a file costs more than all else about a small mail.
type SpoolBatch struct {
	spool *Spool
	batch *disk.Batch
	mails [][]byte
	names []string
	size  int
}

const (
	fewMails  = 8         // up to which each is stored by itself
	largeMail = 256 << 10 // from which it is, too
	maxBatch  = 1 << 20   // bytes that wait in memory for being stored
)

// Batch begins to store mails together. They are on the disk when the batch was
// closed and b was settled.
func (s *Spool) Batch(b *disk.Batch) *SpoolBatch { return &SpoolBatch{spool: s, batch: b} }

// Add stores a mail, perhaps not before Close; raw must stay as it is until then.
// It returns the mail's name.
func (p *SpoolBatch) Add(raw []byte) (sha string, err error) {
	if len(raw) >= largeMail {
		return p.spool.StoreUnsynced(p.batch, raw)
	}
	if sha = ContentHash(raw); slices.Contains(p.names, sha) {
		return sha, nil
	}
	p.mails, p.names, p.size = append(p.mails, raw), append(p.names, sha), p.size+len(raw)
	if p.size >= maxBatch {
		err = p.Close()
	}
	return sha, err
}

// Close stores what is not stored yet. More may be added afterwards.
func (p *SpoolBatch) Close() error {
	mails, names := p.mails, p.names
	p.mails, p.names, p.size = nil, nil, 0
	if len(mails) > fewMails {
		return p.spool.pack(p.batch, names, mails)
	}
	for _, raw := range mails {
		if _, err := p.spool.StoreUnsynced(p.batch, raw); err != nil {
			return err
		}
	}
	return nil
}

// pack stores mails in a pack: a line that counts them, for each a line with its
// name and length, and then the mails. The pack is named by its head.
func (s *Spool) pack(b *disk.Batch, names []string, mails [][]byte) error {
	var text bytes.Buffer
	size := 100 * (len(mails) + 1)
	for _, raw := range mails {
		size += len(raw)
	}
	text.Grow(size)
	fmt.Fprintf(&text, packHead, len(mails))
	for i, raw := range mails {
		fmt.Fprintf(&text, packLine, names[i], len(raw))
	}
	path := filepath.Join(s.dir, packs, ContentHash(text.Bytes())[:32]+packEnding)
	for _, raw := range mails {
		text.Write(raw)
	}
	if err := s.write(b, path, text.Bytes()); err != nil {
		return fmt.Errorf("spool %d mails: %w", len(mails), err)
	}
	return nil
}
