package mime

import "strings"

// recipientStatus is one group of a delivery-status part.
type recipientStatus struct{ original, final, action, status, diagnostic string }

// readStatus reads a delivery-status part (RFC 3464 section 2). Groups are separated by empty
// lines; if those are missing, a group begins with its recipient.
func readStatus(text string) (Bounce, bool) {
	var groups []recipientStatus
	var g recipientStatus
	end := func() {
		if g.final != "" || g.original != "" || g.action != "" {
			groups = append(groups, g)
		}
		g = recipientStatus{}
	}
	for name, value := range statusFields(text) {
		switch name {
		case "":
			end()
		case "original-recipient":
			if g.original != "" {
				end()
			}
			g.original = typedAddress(value)
		case "final-recipient":
			if g.final != "" {
				end()
			}
			g.final = typedAddress(value)
		case "action":
			g.action = keyword(value)
		case "status":
			g.status = firstOf(enhanced.codes(value))
		case "diagnostic-code":
			if kind, rest, ok := strings.Cut(value, ";"); ok && !strings.ContainsAny(strings.TrimSpace(kind), " \t") {
				value = rest
			}
			g.diagnostic = cut(strings.Join(strings.Fields(value), " "), maxDiagnostic)
		}
		if len(groups) >= maxAddrs {
			break
		}
	}
	end()
	return worst(groups)
}

// worst picks the most serious group.
func worst(groups []recipientStatus) (out Bounce, ok bool) {
	best := 0
	for _, g := range groups {
		b := g.bounce()
		weight := 0
		switch {
		case b.Action == BounceFailed && strings.HasPrefix(b.Status, "5"):
			weight = 3
		case b.Action == BounceFailed:
			weight = 2
		case b.Action == BounceDelayed:
			weight = 1
		}
		if weight > best {
			out, ok, best = b, true, weight
		}
	}
	return out, ok
}

func (g recipientStatus) bounce() Bounce {
	b := Bounce{Recipient: g.original, Status: g.status, Action: g.action, Diagnostic: g.diagnostic}
	if b.Recipient == "" {
		b.Recipient = g.final
	}
	b.Status = precise(b.Status, g.diagnostic)
	if b.Status == "" {
		b.Status = firstOf(smtpReply.codes(g.diagnostic))
	}
	if b.Action == "" {
		switch {
		case strings.HasPrefix(b.Status, "4"):
			b.Action = BounceDelayed
		case strings.HasPrefix(b.Status, "5"):
			b.Action = BounceFailed
		}
	}
	if b.Status == "" {
		b.Status = map[string]string{BounceFailed: "5.0.0", BounceDelayed: "4.0.0"}[b.Action]
	}
	return b
}

// precise returns the code in the other server's response if the report's own gives only its class.
func precise(status, diagnostic string) string {
	if said := firstOf(enhanced.codes(diagnostic)); said != "" && (status == "" || status == said[:1]+".0.0") {
		return said
	}
	return status
}

// statusFields yields the fields, unfolded, names in lower case. An empty name is an empty line.
func statusFields(text string) func(yield func(name, value string) bool) {
	return func(yield func(name, value string) bool) {
		name, value := "", ""
		send := func() bool {
			n := name
			name = ""
			return n == "" || yield(n, cut(strings.TrimSpace(value), maxStatus))
		}
		for line := range strings.SplitSeq(text, "\n") {
			switch {
			case strings.TrimSpace(line) == "":
				if !send() || !yield("", "") {
					return
				}
			case line[0] == ' ' || line[0] == '\t':
				if len(value) < maxStatus {
					value += " " + strings.TrimSpace(line)
				}
			default:
				if !send() {
					return
				}
				n, v, ok := strings.Cut(line, ":")
				if ok {
					name, value = strings.ToLower(strings.TrimSpace(n)), v
				}
			}
		}
		send()
	}
}

// typedAddress reads "rfc822; ann@example.org" (RFC 3464 section 2.3.1), also with brackets around
// the address or words after it.
func typedAddress(value string) string {
	if kind, rest, ok := strings.Cut(value, ";"); ok {
		switch strings.ToLower(strings.TrimSpace(kind)) {
		case "rfc822", "utf-8", "smtp", "local", "unknown":
			value = rest
		default:
			return ""
		}
	}
	return cut(strings.Trim(looseAddress().FindString(value), "<>"), 320)
}
