// Package attribution knows what mail programs write above a mail that they quote, in some seventy
// languages, by the look of a line.
package attribution

import (
	"slices"
	"strings"

	"starpost/pbem/pattern"
)

// EndsInColon tells whether a line ends in a colon, of whatever width.
func EndsInColon(line string) bool {
	return strings.HasSuffix(line, ":") || strings.HasSuffix(line, "：") || strings.HasSuffix(line, "︰")
}

var (
	dashed = pattern.New(`^-{2,}\s{0,9}[^\s#-][^#]*\pL[^#]*[^\s-]\s{0,9}-{2,}$`)

	address = pattern.New(`[^\s@<>:;,"'()]@[\w-]+(\.[\w-]+)+`)
	dayTime = pattern.New(`\b\d{1,2}[:.h]\d{2}\b|\d{1,2}\s?[時时点시]|[٠-٩۰-۹]{1,2}:[٠-٩۰-۹]{2}`)
	someDay = pattern.New(`\b(19|20|25)\d{2}\b|\b\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|[٠-٩۰-۹]{4}`)
	// A day of a month whose name is a word: "22 nov", "22. Nov", "22 de nov", "Nov 22".
	dayAndMonth = pattern.New(`\b\d{1,2}\.?\s(de\s)?\pL{3,}|\pL{3,}\.?\s\d{1,2}\b|\b\d{1,2}\.\s?\d{1,2}\.`)
	// The ending for women that some languages leave to choose: "napisal(a)", "napisao/la".
	gendered = pattern.New(`(\(-?\pL{1,2}\)|/-?\pL{1,2})([\s,]|$)`)
	headPart = pattern.New(`\*?\pL[\pL\pM-]{0,20}\*?\s?(:\*?\s|：)`)
)

// Names tells whether a line is one that names what is quoted below it.
func Names(line string) bool {
	if strings.HasPrefix(line, "--") && strings.HasSuffix(line, "--") && dashed().MatchString(line) {
		return true // broken into lines
	}
	if !EndsInColon(line) || strings.HasPrefix(line, "#") {
		return false
	}
	return Headers(line) || HasAddress(line) || Dated(line) || says(line)
}

// Headers tells whether three headers stand in a line.
func Headers(line string) bool {
	return strings.Count(line, ":")+strings.Count(line, "：") >= 3 && len(headPart().FindAllStringIndex(line, 4)) >= 3
}

// Dated tells whether a line names a date and a time.
func Dated(line string) bool { return someDay().MatchString(line) && HasTime(line) }

// HasTime tells whether a line names a time of day.
func HasTime(line string) bool { return dayTime().MatchString(line) }

// Dashed tells whether a line is words between dashes.
func Dashed(line string) bool { return dashed().MatchString(line) }

// HasAddress tells whether a mail address stands in a line.
func HasAddress(line string) bool { return strings.Contains(line, "@") && address().MatchString(line) }

// says tells whether a line that ends in a colon has a word for writing in it: at
// its end, or, since the name comes last in some languages ("Den 22 nov. skrev
// Starpost:"), with few words behind it or a day somewhere.
func says(line string) bool {
	line = strings.ToLower(strings.TrimRight(line, " :：︰"))
	if strings.ContainsAny(line, "(/") {
		line = gendered().ReplaceAllString(line, "")
	}
	words := " " + strings.Join(strings.Fields(line), " ") + " "
	for _, w := range wrote {
		if w[0] >= 0xe0 { // scripts that do not part words
			if at := strings.Index(line, w); at > 0 {
				return true
			}
			continue
		}
		_, after, ok := strings.Cut(words, " "+w+" ")
		switch {
		case !ok:
		case after == "":
			return len(words) > len(w)+2 // not the word alone
		case strings.Count(after, " ") <= maxName, someDay().MatchString(line), dayAndMonth().MatchString(line):
			return true
		}
	}
	return false
}

// maxName is of how many words the name of who is quoted is.
const maxName = 4

// Forwards tells whether a line is one of the phrases that open a forwarded or
// answered mail, whatever is drawn around it.
func Forwards(line string) bool {
	line = strings.ToLower(strings.Trim(line, " \t*-_=:：>"))
	return slices.Contains(original[:], line)
}

// wrote are the words for writing in the line above a quotation, without the ending
// for women that may stand in parentheses.
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

// original is what opens a mail that is handed on whole.
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
