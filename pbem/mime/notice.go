package mime

import (
	"cmp"
	"slices"
	"strings"

	"starpost/pbem/pattern"
)

// readNotice reads a bounce that is only prose. There is no standard form for these, so it must say
// in known words that a mail failed or is delayed, and name the recipient or a reason; otherwise it
// is no bounce.
func readNotice(m *Mail, text string) (Bounce, bool) {
	above, _ := cutNotice(text)
	subject, lower := strings.ToLower(m.Subject), strings.ToLower(above)
	says := func(phrases []string) bool {
		return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(subject, p) || strings.Contains(lower, p) })
	}
	waits, failed := says(waiting), says(failing)
	if !waits && !failed {
		return Bounce{}, false
	}
	b := Bounce{Action: BounceFailed, Recipient: failedRecipient(m, above)}
	// A notice of delay also says what happens if it fails, and one of failure may say how long it
	// was tried. The subject takes precedence.
	if waits && (!failed || slices.ContainsFunc(waiting, func(p string) bool { return strings.Contains(subject, p) })) {
		b.Action = BounceDelayed
	}
	said := paragraph(above, b.Recipient)
	for _, where := range []string{said, above} {
		if b.Status == "" {
			b.Status = firstOf(enhanced.codes(where))
		}
		if b.Status == "" {
			b.Status = firstOf(smtpReply.codes(where))
		}
	}
	if b.Status == "" && b.Recipient == "" {
		return Bounce{}, false
	}
	b.Status = cmp.Or(b.Status, map[string]string{BounceFailed: "5.0.0", BounceDelayed: "4.0.0"}[b.Action])
	b.Diagnostic = cut(said, maxDiagnostic)
	return b, true
}

// cutNotice separates a server's text from the copy of the mail below it.
func cutNotice(text string) (above, below string) {
	if at := copyBegins().FindStringIndex(text); at != nil {
		return text[:at[0]], text[at[0]:]
	}
	return text, text
}

var copyBegins = pattern.New(`(?im)^(?:[-> \t_=*]*(?:below this line is a copy|this is a copy of|this is the (?:start of the )?(?:returned|original) message|` +
	`(?:original|unsent|returned) message(?: (?:headers?|text|body))?(?: follows?| below)?[-: \t_=*]*$|message (?:headers? )?follows|(?:the )?(?:header|body|text) of the (?:original )?message|` +
	`original message headers|ursprüngliche nachricht|a copy of the (?:original )?message)|(?:return-path|received):[ \t])`)

// failedRecipient returns the address that a notice is about.
func failedRecipient(m *Mail, text string) string {
	for _, v := range m.header["x-failed-recipients"] {
		if a := looseAddress().FindString(cut(v, maxValue)); a != "" {
			return strings.Trim(a, "<>")
		}
	}
	own := append(m.Senders(), m.Recipients()...)
	var loose string
	for _, line := range strings.SplitN(text, "\n", 400) {
		for _, a := range looseAddress().FindAllString(cut(line, 1000), 8) {
			bare := strings.TrimPrefix(strings.Trim(strings.Trim(a, "<>[]'.`"), "."), "mailto:")
			local, _, _ := strings.Cut(strings.ToLower(bare), "@")
			if servers[local] || slices.ContainsFunc(own, func(o string) bool { return strings.EqualFold(o, bare) }) || len(bare) > 320 {
				continue
			}
			// An address at the start of its line is what the notice is about; within a sentence it
			// may be anyone's.
			if strings.HasPrefix(strings.TrimLeft(line, " \t*<('\"["), bare) {
				return bare
			}
			loose = cmp.Or(loose, bare)
		}
	}
	return loose
}

// paragraph returns, on one line, the paragraph with a status code or, failing that, with the
// recipient.
func paragraph(text, recipient string) string {
	var named string
	for p := range strings.SplitSeq(text, "\n\n") {
		if len(p) > 4*maxDiagnostic {
			p = cut(p, 4*maxDiagnostic)
		}
		line := strings.Join(strings.Fields(p), " ")
		if len(enhanced.codes(line)) > 0 || len(smtpReply.codes(line)) > 0 {
			return line
		}
		if named == "" && recipient != "" && strings.Contains(line, recipient) {
			named = line
		}
	}
	return named
}

// coded finds status codes; class is set if only that much is known.
type coded struct {
	form  pattern.Pattern
	class bool
}

// codes returns the codes in a text as enhanced status codes.
func (c coded) codes(text string) []string {
	var out []string
	for _, m := range c.form().FindAllStringSubmatch(cut(text, maxNotice), 8) {
		if c.class {
			out = append(out, m[1]+".0.0")
		} else {
			out = append(out, m[1])
		}
	}
	return out
}

var (
	// An enhanced code (RFC 3463), but not three of the four numbers of an IP address.
	enhanced = coded{form: pattern.New(`(?:^|[^\d.])([245]\.\d{1,3}\.\d{1,3})(?:$|[^\d.]|\.$|\.[^\d])`)}
	// The reply code of SMTP (RFC 5321 section 4.2) as servers quote it.
	smtpReply = coded{form: pattern.New(`(?im)(?:^|said:? ?|error:? ?|response:? ?|replied:? ?|reason:? ?|smtp; ?|with |code |status |<<< |: |[(#<"])([45])\d\d(?:[ -:]|$)`), class: true}
)

// Phrases of mail servers, in lower case.
var (
	failing = []string{
		"undeliver", "delivery status notification (failure)", "delivery failure", "delivery failed", "delivery has failed",
		"mail delivery failed", "returned mail", "failure notice", "returned to sender", "could not be delivered", "couldn't be delivered",
		"was not delivered", "wasn't delivered", "not been delivered", "did not reach", "didn't reach", "able to deliver", "unable to deliver", "cannot deliver",
		"could not deliver", "couldn't deliver", "not deliverable", "delivery problem", "fatal errors", "non-delivery", "nondeliverable", "mail system error",
		"user unknown", "address not found", "message blocked", "rejected",
		"unzustellbar", "nicht zugestellt", "zustellung fehlgeschlagen", "unzustellbarkeit",
		"non remis", "non distribu", "échec de remise", "n'a pas pu être remis", "échec de la remise",
		"no se puede entregar", "no entregado", "no se ha entregado", "no se pudo entregar", "mancato recapito", "non recapitabile", "impossibile recapitare",
		"onbestelbaar", "niet bezorgd", "não entregue", "não foi possível entregar", "kunde inte levereras", "kunne ikke leveres", "niedostarczon", "nie można dostarczyć",
		"не доставлено", "недоставлен", "не удалось доставить", "配信不能", "配信できません", "未送达", "无法送达", "退信", "無法傳遞", "배달되지", "전송 실패",
	}
	waiting = []string{
		"delivery status notification (delay)", "delayed mail", "delivery delayed", "delivery is delayed", "delivery incomplete", "message delayed", "mail delayed", "has been delayed",
		"delayed delivery", "still being retried", "will be retried", "will continue to be", "will keep trying", "could not send message for past", "no action is required",
		"not yet been delivered", "not been delivered yet", "not yet delivered", "transient non-fatal", "this is a warning message only", "warning: message", "message still undelivered",
		"zustellung verzögert", "verzögert", "remise retardée", "se ha retrasado", "en attente de distribution", "доставка задерживается", "задержка",
	}
)
