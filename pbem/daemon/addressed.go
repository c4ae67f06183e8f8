package daemon

import (
	"bytes"
	"regexp"
	"strings"
)

// mailAddress finds addresses in the header fields that we write ourselves.
var mailAddress = regexp.MustCompile(`[^\s<>",:;]+@[^\s<>",:;]+`)

// addressed puts the robot's present address into From and Reply-To of a mail of
// ours: a report may have been written when the robot had another one. The turn
// key in Reply-To stays where the mail server delivers plus addresses, else it
// goes. All other bytes stay as they are.
func addressed(raw []byte, address string, plus bool) []byte {
	local, domain, ok := strings.Cut(address, "@")
	end := bytes.Index(raw, []byte("\r\n\r\n"))
	if !ok || end < 0 {
		return raw
	}
	head, out := string(raw[:end]), make([]byte, 0, len(raw)+64)
	ours := false // within From or Reply-To, which may be folded
	for line := range strings.Lines(head) {
		if line[0] != ' ' && line[0] != '\t' {
			name, _, _ := strings.Cut(line, ":")
			ours = strings.EqualFold(name, "From") || strings.EqualFold(name, "Reply-To")
		}
		var found [][]int
		if ours {
			found = mailAddress.FindAllStringIndex(line, -1)
		}
		if len(found) == 0 {
			out = append(out, line...)
			continue
		}
		at := found[len(found)-1] // a display name stands before it
		tag := ""
		was, _, _ := strings.Cut(line[at[0]:at[1]], "@")
		if _, key, tagged := strings.Cut(was, "+"); tagged && plus {
			tag = "+" + key
		}
		out = append(out, line[:at[0]]+local+tag+"@"+domain+line[at[1]:]...)
	}
	return append(out, raw[end:]...)
}
