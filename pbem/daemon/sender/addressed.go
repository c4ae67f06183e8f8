package sender

import (
	"bytes"
	"strings"
)

// addressed sets the robot's current address in From and Reply-To of one of our mails: a report may
// have been written when the robot had another address. The turn key in Reply-To stays if the mail
// server delivers plus addresses; otherwise it is removed. All other bytes stay unchanged.
func addressed(raw []byte, address string, plus bool) []byte {
	local, domain, ok := strings.Cut(address, "@")
	end := bytes.Index(raw, []byte("\r\n\r\n"))
	if !ok || end < 0 {
		return raw
	}
	// Usually there is nothing to change, and the mail need not be copied.
	head := make([]byte, 0, end+64)
	ours := false // within From or Reply-To, which may be folded
	for line := range bytes.Lines(raw[:end]) {
		if line[0] != ' ' && line[0] != '\t' {
			name, _, _ := bytes.Cut(line, []byte(":"))
			ours = bytes.EqualFold(name, []byte("From")) || bytes.EqualFold(name, []byte("Reply-To"))
		}
		from, to := -1, -1
		if ours {
			from, to = lastAddress(line)
		}
		if from < 0 {
			head = append(head, line...)
			continue
		}
		head = append(append(head, line[:from]...), local...)
		was, _, _ := bytes.Cut(line[from:to], []byte("@"))
		if tag := bytes.IndexByte(was, '+'); tag >= 0 && plus {
			head = append(head, was[tag:]...)
		}
		head = append(append(append(head, '@'), domain...), line[to:]...)
	}
	if bytes.Equal(head, raw[:end]) {
		return raw
	}
	return append(append(make([]byte, 0, len(head)+len(raw)-end), head...), raw[end:]...)
}

// lastAddress finds the last address in a header line that we wrote; a display name may precede it.
// It returns -1, -1 if there is none.
func lastAddress(line []byte) (from, to int) {
	for at := bytes.LastIndexByte(line, '@'); at >= 0; at = bytes.LastIndexByte(line[:at], '@') {
		from, to = at, at+1
		for from > 0 && inAddress(line[from-1]) {
			from--
		}
		for to < len(line) && inAddress(line[to]) {
			to++
		}
		if from < at && to > at+1 {
			return from, to
		}
	}
	return -1, -1
}

func inAddress(c byte) bool { return strings.IndexByte(" \t\r\n\v\f<>\",:;", c) < 0 }
