package desk_test

import (
	"slices"
	"strings"
	"testing"

	"starpost/pbem/desk"
	"starpost/pbem/desk/effect"
	"starpost/pbem/vault"
)

// TestLooseOrdersComeBackAsASet checks that orders without the line that begins a set are read as
// if it were there, with the line numbers of the mail, and that the set in the answer is stored
// when it is sent unchanged.
func TestLooseOrdersComeBackAsASet(t *testing.T) {
	o := newOffice(t)
	const head = "#orders wolf turn 1 ship Hood"
	for name, c := range map[string]struct {
		text  string
		says  []string
		set   []string // lines that come back
		wrong bool     // has mistakes that only the captain can correct
	}{
		"whole": {
			"Hi,\n\npower\n  move 12\n  bank a 5 5\nphase 1\n  move F\n\nThanks, Kirk",
			[]string{"line 3, column 1: error E549", "line 5, column 3: error E020", "did you mean arm bank-a 5 5?", "have 1 more mistake"},
			[]string{head, "power", "  move 12", "  arm bank-a 5 5", "phase 1", "  move F", "#end"},
			false,
		},
		"one order":   {"bank a 5 5", []string{"line 1, column 1: error E020"}, []string{head, "power", "arm bank-a 5 5", "#end"}, false},
		"no heading":  {"move 12\nshields 2:14\n", nil, []string{head, "power", "move 12", "shields 2:14", "#end"}, false},
		"with an end": {"Orders:\nmove 12\nmvoe 3\n#end\n", []string{"line 3, column 1: error E020"}, []string{head, "power", "move 12", "mvoe 3", "#end"}, true},
		"in prose": {
			"Dear robot, this is what I want to do in the first phase of all:\n\nfire all at Riskadh\n\nI hope that this is all right, and that it is not too late.\nBye", nil,
			[]string{head, "phase 1", "fire all at Riskadh", "#end"},
			false,
		},
		"too much": {"power\n  move 44\n  shields 2:14\n", []string{"error E103"}, []string{head, "power", "  move 44", "  shields 2:14", "#end"}, true},
	} {
		h := o.receive(kirk, o.keyed("Kirk"), c.text)
		if len(h.Steps) > 0 || h.answer.Message.ReplyTo.Addr != o.keyed("Kirk") {
			t.Errorf("%s: %d steps, the answer goes to %s", name, len(h.Steps), h.answer.Message.ReplyTo.Addr)
		}
		wants(t, h.text(), append(c.says, "Reply to this mail with these lines")...)
		lacks(t, h.text(), o.key("Kirk"))
		var set []string
		_, below, _ := strings.Cut(h.answer.Message.Text, "== Your orders as a set")
		for line := range strings.Lines(below) {
			if line, ok := strings.CutPrefix(line, "  | "); ok {
				set = append(set, strings.TrimRight(line, "\n"))
			}
		}
		if !slices.Equal(set, c.set) {
			t.Errorf("%s: the set is\n%s\nwant\n%s", name, strings.Join(set, "\n"), strings.Join(c.set, "\n"))
		}
		h = o.receive(kirk, h.answer.Message.ReplyTo.Addr, strings.Join(set, "\n"))
		if (o.inForce("Hood") == "") != c.wrong {
			t.Errorf("%s: sent back: %s\n%s", name, h.Reason, h.text())
		}
		if err := o.game.Orders.Drop(vault.At(1), "Hood"); err != nil {
			t.Fatal(err)
		}
	}
	// Without proof, the answer reveals nothing about the ship.
	h := o.receive(kirk, robot, "power\n  move 44\n  shields 2:14\n")
	wants(t, h.text(), "have no other mistake")
	lacks(t, h.text(), "E103", "44 power")
	o.desk.NoPlus = true
	h = o.receive(kirk, robot, "power\n  move 8\n")
	wants(t, h.text(), "| "+head+" key YOUR-KEY |", "the turn key from the first line of the orders at the end of your last report")
	lacks(t, h.text(), o.key("Kirk"))
}

// TestMessagesWithoutTheMark forwards words after a first line without the mark, and on one line.
func TestMessagesWithoutTheMark(t *testing.T) {
	for _, text := range []string{
		"message to Riskadh\nYield, or be destroyed!\n#end\n", "message Riskadh\nYield, or be destroyed!\n#end", "message wolf to Riskadh\nYield, or be destroyed!\n#end",
		"message Riskadh: Yield, or be destroyed!", "Message to Kor: Yield,\nor be destroyed!\n\n-- \nJim", "#message wolf Riskadh: Yield, or be destroyed!\n#status",
		"#message Riskadh key KEY: Yield, or be destroyed!", "message Riskadh:\nYield, or be destroyed!\n#end",
	} {
		o := newOffice(t)
		h := o.receive(kirk, o.keyed("Kirk"), strings.ReplaceAll(text, "KEY", o.key("Kirk")))
		if h.Outcome != desk.Done || len(h.Mails) != 1 {
			t.Errorf("%q: %s (%s)\n%s", text, h.Outcome, h.Reason, h.text())
			continue
		}
		wants(t, strings.Join(strings.Fields(h.mail(t, effect.KindMessage, kor).Message.Text), " "), "| Yield, or be destroyed!")
	}
	o := newOffice(t)
	for text, want := range map[string]string{
		"message to Riskadh\nSurrender!": "put a line with only #end below", "message Gorkon: hi": "there is nobody called \"Gorkon\"",
		"Well then:\nmessage Riskadh: hi": "counts only on the first line of a mail", "message Riskadh:\n#end": "there is nothing in the message",
	} {
		h := o.receive(kirk, o.keyed("Kirk"), text)
		if h.Outcome != desk.Refused || len(h.Mails) > 0 {
			t.Errorf("%q: %s, %d mails", text, h.Reason, len(h.Mails))
		}
		wants(t, h.text(), want)
	}
}

// TestAllocateWithoutTheMark allocates damage after a first line without the mark.
func TestAllocateWithoutTheMark(t *testing.T) {
	marked, bare := newBoxes(t), newBoxes(t)
	const task = "allocate cadet-klingon\n2:2\n1:8 1:21\ndice 2 6 5 3 4 2 5\n1 3 1 3 1 3\nlose engines impulse:2 warp-left:1 warp-right\n#end\n"
	want := marked.receive(kirk, robot, "#"+task).answer.Message.Text
	if got := bare.receive(kirk, robot, task).answer.Message.Text; got != want || strings.Contains(got, "not done") {
		t.Errorf("without the mark:\n%s\nwith it:\n%s", got, want)
	}
}
