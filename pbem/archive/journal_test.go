package archive

import (
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// TestJournalWithoutAddresses checks that no address and no message between captains in the journal
// gets into an archive, and that its chain is intact.
func TestJournalWithoutAddresses(t *testing.T) {
	dir, g := world(t)
	const private = "private@example.org"
	at := time.Date(2026, 5, 5, 12, 0, 0, 0, time.UTC)
	hash := strings.Repeat("ab", 32)
	for _, e := range []struct {
		kind string
		data any
	}{
		{journal.Address, journal.AddressData{Old: private, New: private}},
		{journal.Resign, journal.ResignData{Address: private}},
		{journal.Resign, nil},
		{journal.Join, journal.JoinData{Address: private}},
		{journal.Message, journal.MessageData{To: "Riskadh", Captains: []engine.CaptainName{"Riskadh"}, Text: "a plan that is nobody's business"}},
		{journal.Protest, journal.ProtestData{Turn: 1, Event: 3, Reason: "ask " + private}},
		{journal.Dispute, journal.DisputeData{Dispute: 1, Step: journal.DisputeReject, Text: "no, " + private, Tell: "write to " + private}},
		{journal.Deadline, journal.DeadlineData{Deadline: at.Add(time.Hour)}},
		{journal.Away, journal.AwayData{From: at, To: at.Add(time.Hour)}},
		{journal.Proof, journal.ProofData{What: "@Hood", Made: at}},
		{journal.Amend, journal.AmendData{Name: "Hood", Set: hash}},
		{journal.Replace, journal.ReplaceData{Old: private, Address: private}},
		{journal.Invite, journal.JoinData{Address: private}},
		{journal.Referee, journal.RefereeData{Name: "Otto", Address: private}},
		{journal.Back, nil},
	} {
		entry := journal.NewEntry(e.kind, "Rita <"+private+">", at, e.data)
		if e.kind == journal.Resign && e.data == nil {
			entry = journal.NewEntry(e.kind, "rule on protests", at, journal.ResignData{})
		}
		entry.Captain, entry.Turn, entry.Why = "Hood", 4, "because of "+private
		if ok, err := g.Append(entry); !ok || err != nil {
			t.Fatalf("%s: %v", e.kind, err)
		}
	}
	path, _ := makeArchive(t, dir, g, "a.zip")
	files := unzip(t, path)
	for name, text := range files {
		if strings.Contains(text, private) || strings.Contains(text, "nobody's business") {
			t.Errorf("%s tells it:\n%s", name, text)
		}
	}
	noted := files[gameDir+"/"+vault.JournalFile]
	if n := strings.Count(noted, "\n"); n != 16 {
		t.Errorf("%d entries", n)
	}
	v, err := Verify(t.Context(), path, VerifyOptions{Catalogue: catalogue()})
	if err != nil || !v.Sound {
		t.Fatalf("%+v, %v", v, err)
	}
	acts := map[string]string{}
	for _, a := range v.Acts {
		acts[a.Kind] = a.What
	}
	for kind, want := range map[string]string{
		journal.Protest: "protested against event 1.3: ask (an address)", journal.Dispute: "dispute 1, reject: no, (an address)",
		journal.Deadline: "moved the deadline to 2026-05-05 13:00 UTC", journal.Amend: "changed the orders of Hood",
		journal.Join: "took over a seat", journal.Resign: "left",
	} {
		if acts[kind] != want {
			t.Errorf("%s: %q, want %q", kind, acts[kind], want)
		}
	}
	again, _ := makeArchive(t, dir, g, "b.zip")
	same(t, path, again)
}
