// Package attribution recognises, line by line, what mail programs write above a quoted mail, in
// about seventy languages.
package attribution

import (
	"slices"
	"strings"

	"starpost/pbem/pattern"
)

// EndsInColon reports whether a line ends in a colon of any width.
func EndsInColon(line string) bool {
	return strings.HasSuffix(line, ":") || strings.HasSuffix(line, "：") || strings.HasSuffix(line, "︰")
}

var (
	dashed = pattern.New(`^-{2,}\s{0,9}[^\s#-][^#]*\pL[^#]*[^\s-]\s{0,9}-{2,}$`)

	address = pattern.New(`[^\s@<>:;,"'()]@[\w-]+(\.[\w-]+)+`)
	dayTime = pattern.New(`\b\d{1,2}[:.h]\d{2}\b|\d{1,2}\s?[時时点시]|[٠-٩۰-۹]{1,2}:[٠-٩۰-۹]{2}`)
	someDay = pattern.New(`\b(19|20|25)\d{2}\b|\b\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|[٠-٩۰-۹]{4}`)
	// A day with the name of a month: "22 nov", "22. Nov", "22 de nov", "Nov 22".
	dayAndMonth = pattern.New(`\b\d{1,2}\.?\s(de\s)?\pL{3,}|\pL{3,}\.?\s\d{1,2}\b|\b\d{1,2}\.\s?\d{1,2}\.`)
	// The optional feminine ending in some languages: "napisal(a)", "napisao/la".
	gendered = pattern.New(`(\(-?\pL{1,2}\)|/-?\pL{1,2})([\s,]|$)`)
	headPart = pattern.New(`\*?\pL[\pL\pM-]{0,20}\*?\s?(:\*?\s|：)`)
)

// Names reports whether a line introduces a quotation below it.
func Names(line string) bool {
	if strings.HasPrefix(line, "--") && strings.HasSuffix(line, "--") && dashed().MatchString(line) {
		return true // wrapped lines
	}
	if !EndsInColon(line) || strings.HasPrefix(line, "#") {
		return false
	}
	return Headers(line) || HasAddress(line) || Dated(line) || says(line)
}

// Headers reports whether a line contains three headers.
func Headers(line string) bool {
	return strings.Count(line, ":")+strings.Count(line, "：") >= 3 && len(headPart().FindAllStringIndex(line, 4)) >= 3
}

// Dated reports whether a line contains a date and a time.
func Dated(line string) bool { return someDay().MatchString(line) && HasTime(line) }

// HasTime reports whether a line contains a time of day.
func HasTime(line string) bool { return dayTime().MatchString(line) }

// Dashed reports whether a line is words between dashes.
func Dashed(line string) bool { return dashed().MatchString(line) }

// HasAddress reports whether a line contains a mail address.
func HasAddress(line string) bool { return strings.Contains(line, "@") && address().MatchString(line) }

// says reports whether a line that ends in a colon contains a word for writing: at its end or,
// because the name comes last in some languages ("Den 22 nov. skrev Starpost:"), followed by a few
// words, or together with a date.
func says(line string) bool {
	line = strings.ToLower(strings.TrimRight(line, " :：︰"))
	if strings.ContainsAny(line, "(/") {
		line = gendered().ReplaceAllString(line, "")
	}
	words := " " + strings.Join(strings.Fields(line), " ") + " "
	for _, w := range wrote {
		if w[0] >= 0xe0 { // scripts without spaces between words
			if at := strings.Index(line, w); at > 0 {
				return true
			}
			continue
		}
		_, after, ok := strings.Cut(words, " "+w+" ")
		switch {
		case !ok:
		case after == "":
			return len(words) > len(w)+2 // not just the word
		case strings.Count(after, " ") <= maxName, someDay().MatchString(line), dayAndMonth().MatchString(line):
			return true
		}
	}
	return false
}

// maxName is the maximum number of words in the name of the quoted person.
const maxName = 4

// Forwards reports whether a line is one of the phrases above a forwarded or answered mail, with
// any decoration around it.
func Forwards(line string) bool {
	line = strings.ToLower(strings.Trim(line, " \t*-_=:：>"))
	return slices.Contains(original[:], line)
}

// wrote are the words for writing in the line above a quotation, without the feminine ending in
// parentheses.
var wrote = [...]string{
	"wrote", "writes", "schrieb", "schreibt", "geschrieben", "écrit", "a écrit", "escribió", "escribio", "escribe", "va escriure", "ha escrit", "escriví",
	"ha scritto", "scrive", "scrisse", "escreveu", "escribiu", "ha scrit", "schreef", "schrijft", "het geskryf", "geskryf", "skreau", "huet geschriwwen",
	"skrev", "skriver", "skreiv", "kirjoitti", "kirjoittaa", "skrifaði", "ritaði", "skrivaði",
	"pisze", "napisał", "napisała", "napsal", "napsala", "píše", "napísal", "napísala", "írta", "ezt írta",
	"a scris", "scrie", "napisao", "napisala", "napisao je", "napisala je", "je napisao", "je napisala", "piše", "je napisal", "napisal", "napisal je",
	"rašė", "parašė", "rašo", "rakstīja", "raksta", "kirjutas", "kirjutab", "shkroi", "shkruajti", "kiteb", "idatzi du", "idatzi zuen",
	"scríobh", "ysgrifennodd", "sgrìobh", "skrivet", "skribis", "yazdı", "yazıyor", "yazıb", "yozdi", "đã viết", "viết", "menulis", "telah menulis",
	"sumulat", "isinulat", "aliandika", "ameandika",
	"написал", "написала", "писал", "писала", "пишет", "написав", "написа", "написао", "написао је", "написала је", "пише", "напиша", "напісаў", "піша",
	"жазды", "жазған", "бичсэн", "бичжээ", "έγραψε", "γράφει", "գրել է", "գրեց", "כתב", "כתבה", "כתבו", "كتب", "كتبت", "نوشت", "نوشته", "لکھا", "نے لکھا",
	"წერს", "დაწერა", "ने लिखा", "लिहिले", "लेख्नुभयो", "লিখেছেন", "ਲਿਖਿਆ", "લખ્યું", "எழுதியது", "எழுதினார்", "రాసారు", "వ్రాశారు", "ಬರೆದಿದ್ದಾರೆ", "എഴുതി",
	"写道", "寫道", "书写", "書きました", "のメール", "作成", "작성", "썼습니다", "เขียนว่า", "បានសរសេរ", "ຂຽນວ່າ",
}

// original are the phrases above a mail that is forwarded whole.
var original = [...]string{
	"original message", "forwarded message", "begin forwarded message", "reply message", "original-nachricht",
	"ursprüngliche nachricht", "originalnachricht", "weitergeleitete nachricht", "anfang der weitergeleiteten nachricht",
	"message d'origine", "message original", "message transféré", "début du message transféré", "début du message réexpédié",
	"mensaje original", "mensaje reenviado", "inicio del mensaje reenviado", "messaggio originale", "messaggio inoltrato",
	"inizio messaggio inoltrato", "mensagem original", "mensagem encaminhada", "oorspronkelijk bericht", "doorgestuurd bericht",
	"ursprungligt meddelande", "vidarebefordrat meddelande", "oprindelig meddelelse", "opprinnelig melding", "alkuperäinen viesti",
	"wiadomość oryginalna", "oryginalna wiadomość", "původní zpráva", "eredeti üzenet", "mesaj original", "özgün ileti",
	"izvorna poruka", "originalna poruka", "izvirno sporočilo", "pôvodná správa", "algne kiri", "sākotnējais ziņojums", "pradinis laiškas",
	"missatge original", "jatorrizko mezua", "mensaxe orixinal", "upprunaleg skilaboð", "original meddelelse", "oorspronklike boodskap",
	"thư gốc", "pesan asli", "mesej asal", "оригинално съобщение", "початкове повідомлення", "оригинална порука",
	"הודעה מקורית", "الرسالة الأصلية", "پیام اصلی", "मूल संदेश", "ข้อความต้นฉบับ",
	"исходное сообщение", "пересылаемое сообщение", "αρχικό μήνυμα", "原始邮件", "原始郵件", "転送メッセージ", "元のメッセージ", "원본 메일", "원본 메시지",
}
