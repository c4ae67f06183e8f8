package archive

import (
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/pbem/vault"
)

// TestJournalWithoutAddresses: whatever the journal notes, no address and no
// message between captains gets into an archive, and its chain holds.
func TestJournalWithoutAddresses(t *testing.T) {
	dir, g := world(t)
	const private = "private@example.org"
	at := time.Date(2026, 5, 5, 12, 0, 0, 0, time.UTC)
	hash := strings.Repeat("ab", 32)
	for _, e := range []struct {
		kind string
		data any
	}{
		{vault.JournalAddress, vault.AddressData{Old: private, New: private}},
		{vault.JournalResign, vault.ResignData{Address: private}},
		{vault.JournalResign, nil},
		{vault.JournalJoin, vault.JoinData{Address: private}},
		{vault.JournalMessage, vault.MessageData{To: "Riskadh", Captains: []engine.CaptainName{"Riskadh"}, Text: "a plan that is nobody's business"}},
		{vault.JournalProtest, vault.ProtestData{Turn: 1, Event: 3, Reason: "ask " + private}},
		{vault.JournalDispute, vault.DisputeData{Dispute: 1, Step: vault.DisputeReject, Text: "no, " + private, Tell: "write to " + private}},
		{vault.JournalDeadline, vault.DeadlineData{Deadline: at.Add(time.Hour)}},
		{vault.JournalAway, vault.AwayData{From: at, To: at.Add(time.Hour)}},
		{vault.JournalProof, vault.ProofData{What: "@Hood", Made: at}},
		{vault.JournalAmend, vault.AmendData{Name: "Hood", Set: hash}},
		{vault.JournalReplace, vault.ReplaceData{Old: private, Address: private}},
		{vault.JournalInvite, vault.JoinData{Address: private}},
		{vault.JournalReferee, vault.RefereeData{Name: "Otto", Address: private}},
		{vault.JournalBack, nil},
	} {
		entry := vault.NewEntry(e.kind, "Rita <"+private+">", at, e.data)
		if e.kind == vault.JournalResign && e.data == nil {
			entry = vault.NewEntry(e.kind, "rule on protests", at, vault.ResignData{})
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
	journal := files[GameDir+"/"+vault.JournalFile]
	if n := strings.Count(journal, "\n"); n != 16 {
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
		vault.JournalProtest: "protested against event 1.3: ask (an address)", vault.JournalDispute: "dispute 1, reject: no, (an address)",
		vault.JournalDeadline: "moved the deadline to 2026-05-05 13:00 UTC", vault.JournalAmend: "changed the orders of Hood",
		vault.JournalJoin: "took over a seat", vault.JournalResign: "left",
	} {
		if acts[kind] != want {
			t.Errorf("%s: %q, want %q", kind, acts[kind], want)
		}
	}
	again, _ := makeArchive(t, dir, g, "b.zip")
	same(t, path, again)
}
