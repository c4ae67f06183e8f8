package blocks

import (
	"strings"
	"testing"

	"starpost/orders"
)

// The lines that mail programs write above a quoted mail.
func TestQuotationStarts(t *testing.T) {
	const block = "#orders wolf turn 1 ship Hood\nfinal\n#end\n"
	for name, quote := range map[string]string{
		"Alpine":                "On Sun, 1 Mar 2026, Starpost wrote:",
		"SquirrelMail":          "On Sun, March 1, 2026 12:00 pm, Starpost wrote:",
		"Evolution":             "On Sun, 2026-03-01 at 12:00 +0000, Starpost wrote:",
		"Roundcube":             "On 2026-03-01 12:00, Starpost wrote:",
		"Proton":                "On Sunday, March 1st, 2026 at 12:00 PM, Starpost <starpost@example.org> wrote:",
		"over three lines":      "On Sunday, March 1st, 2026 at\n12:00 PM, Starpost The Big Bad Wolf\n<starpost@example.org> wrote:",
		"GroupWise":             ">>> Starpost <starpost@example.org> 1/3/2026 12:00 PM >>>",
		"Czech":                 "Dne 01. 03. 26 v 12:00 Starpost napsal(a):",
		"Polish":                "W dniu 1.03.2026 o 12:00, Starpost pisze:",
		"Polish Gmail":          "niedz., 1 mar 2026 o 12:00 Starpost <starpost@example.org> napisał(a):",
		"Hungarian":             "Starpost <starpost@example.org> ezt írta (időpont: 2026. márc. 1., V, 12:00):",
		"Turkish":               "Starpost <starpost@example.org>, 1 Mar 2026 Paz, 12:00 tarihinde şunu yazdı:",
		"Finnish":               "su 1. maalisk. 2026 klo 12.00 Starpost (starpost@example.org) kirjoitti:",
		"Dutch":                 "Op zo 1 mrt 2026 om 12:00 schreef Starpost <starpost@example.org>:",
		"Russian":               "вс, 1 мар. 2026 г. в 12:00, Starpost <starpost@example.org>:",
		"Greek":                 "Στις Κυρ 1 Μαρ 2026 στις 12:00 μ.μ., ο χρήστης Starpost έγραψε:",
		"Korean":                "2026년 3월 1일 (일) 오후 12:00, Starpost <starpost@example.org>님이 작성:",
		"Chinese Gmail":         "Starpost <starpost@example.org> 于2026年3月1日周日 12:00写道：",
		"Hebrew":                "בתאריך יום א׳, 1 במרץ 2026 ב-12:00 מאת Starpost <starpost@example.org>:",
		"Thai":                  "ในวันที่ อา. 1 มี.ค. 2026 เวลา 12:00 Starpost <starpost@example.org> เขียนว่า:",
		"Apple, Japanese":       "2026/03/01 12:00、Starpost <starpost@example.org>のメール:",
		"Apple, forwarded":      "Begin forwarded message:",
		"Gmail, forwarded":      "---------- Forwarded message ---------",
		"Notes":                 "-----Starpost <starpost@example.org> wrote: -----",
		"Notes, German":         "-----Starpost schrieb: -----",
		"Outlook, French":       "De : Starpost <starpost@example.org>\nEnvoyé : dimanche 1 mars 2026 12:00\nÀ : Kirk\nObjet : Turn 1",
		"Outlook, bold":         "*From:* Starpost <starpost@example.org>\n*Sent:* Sunday, March 1, 2026 12:00\n*To:* Kirk\n*Subject:* Turn 1",
		"Outlook in one office": "From: Starpost\nSent: Sunday, March 1, 2026 12:00\nTo: Kirk\nSubject: Turn 1",
		"Outlook, tabs":         "From:\tStarpost\nSent:\tSunday, March 1, 2026 12:00\nTo:\tKirk\nSubject:\tTurn 1",
		"Outlook for Mac":       "From: Starpost <starpost@example.org>\nDate: Sunday, 1 March 2026 at 12:00\nTo: Kirk <kirk@example.org>,\n Kor <kor@example.org>\nSubject: Turn 1",
		"Swedish, verb first":   "Den sön 22 nov. 2026 skrev Starpost:",
		"Norwegian":             "Den 22. nov. 2026 skrev Starpost The Big Bad Wolf on the Road:",
		"Danish, no year":       "Søndag den 22. november skrev Starpost:",
		"German, no time":       "Am So., 22. Nov. 2026 schrieb Starpost The Big Bad Wolf of the Road:",
		"Croatian":              "Starpost napisao je:",
		"Croatian, both":        "Dana 22. 11. 2026. Starpost je napisao/la:",
		"Serbian":               "Дана 22. новембра 2026. Starpost је написао/ла:",
		"Slovene":               "Dne 22. 11. 26 je Starpost napisal(a):",
		"Slovak":                "Dňa 22. 11. 2026 Starpost napísal(a):",
		"Bulgarian":             "На нд, 22.11.2026 г. Starpost написа:",
		"Ukrainian":             "нд, 22 лист. 2026 р. Starpost пише:",
		"Belarusian":            "Starpost піша:",
		"Macedonian":            "На 22 ноември Starpost напиша:",
		"Estonian":              "Kuupäeval P, 22. november 2026 kirjutas kasutaja Starpost:",
		"Latvian":               "Svētd., 2026. g. 22. nov. lietotājs Starpost rakstīja:",
		"Lithuanian":            "2026-11-22, sk, Starpost rašė:",
		"Icelandic":             "Þann sun., 22. nóv. 2026 skrifaði Starpost:",
		"Basque":                "Starpost igorleak hau idatzi du (2026 aza. 22, ig.):",
		"Galician":              "O dom, 22 nov 2026, Starpost escribiu:",
		"Catalan":               "El diumenge, 22 de novembre de 2026 va escriure Starpost:",
		"Romanian":              "Pe dum., 22 nov. 2026, Starpost a scris:",
		"Albanian":              "Më 22 nëntor 2026 shkroi Starpost:",
		"Armenian":              "22 նոյ, 2026 թ. Starpost գրել է:",
		"Persian":               "در تاریخ ۲۲ نوامبر Starpost نوشت:",
		"Arabic":                "في الأحد، 22 نوفمبر 2026 كتب Starpost:",
		"Hindi":                 "रवि, 22 नव॰ 2026 को Starpost ने लिखा:",
		"Bengali":               "রবি, ২২ নভেম্বর Starpost লিখেছেন:",
		"Tamil":                 "22 நவ., 2026 அன்று Starpost எழுதியது:",
		"Vietnamese":            "Vào CN, 22 thg 11, 2026 Starpost đã viết:",
		"Indonesian":            "Pada Min, 22 Nov 2026 Starpost menulis:",
		"Filipino":              "Noong Lin, Nob 22, 2026, isinulat ni Starpost:",
		"Swahili":               "Mnamo 22 Nov 2026 Starpost aliandika:",
		"Afrikaans":             "Op So 22 Nov 2026 het Starpost geskryf:",
		"Azerbaijani":           "22 noyabr 2026 Starpost yazdı:",
		"Kazakh":                "2026 ж. 22 қараша Starpost жазды:",
		"Mongolian":             "2026 оны 11-р сарын 22 Starpost бичсэн:",
		"a rule":                "________________________________",
		"our report":            "== Orders due for turn 1 =====================\n  By Wed\n\n== Orders, ready to edit and send back ===",
		"our report from HTML":  "ORDERS DUE FOR TURN 1\n\nOrders, ready to be changed and sent back",
	} {
		source := "Hello!\n\n" + quote + "\n\n" + block
		raws, _ := orders.Scan([]byte(source))
		if got := NewPage(source, raws).quotation(); got < 3 || got > 3+strings.Count(quote, "\n") {
			t.Errorf("%s: begins in line %d of\n%s", name, got, source)
		}
	}
	for name, prose := range map[string]string{
		"nothing":               "",
		"a greeting":            "Dear robot,",
		"a colon":               "Here are my orders:",
		"a colon and a turn":    "Orders for turn 1:",
		"a year":                "My plan for 2026:",
		"a time":                "I shall be back at 12:30.",
		"a name":                "Orders by Captain Kirk of the Hood:",
		"a verb alone":          "Wrote:",
		"a verb far away":       "He wrote a long story of ships and captains and so I say:",
		"a list":                "Plan: go on\nPower: all of it",
		"a line":                "-- \nKirk",
		"stars":                 "*****",
		"one headline of ours":  "== Orders, ready to edit and send back ===",
		"a signed text":         "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256",
		"a marked quotation":    "On Sunday, 1 March 2026 12:00, Starpost <starpost@example.org> wrote:\n> The Big Bad Wolf\n> Turn 1",
		"a marked header block": "> From: Starpost <starpost@example.org>\n> Sent: Sunday, March 1, 2026 12:00\n> To: Kirk\n> Subject: x",
		"initials":              "On Sunday, 1 March 2026 12:00, Starpost wrote:\n\nSP> The Big Bad Wolf",
	} {
		source := prose + "\n\n" + block
		raws, _ := orders.Scan([]byte(source))
		if got := NewPage(source, raws).quotation(); got != 0 {
			t.Errorf("%s: begins in line %d of\n%s", name, got, source)
		}
	}
}

// worst are mails made to be costly.
var worst = map[string]string{
	"colons":      strings.Repeat("a b c d e f g h i j k l m n o p q r s t u:\n", 20000),
	"headers":     strings.Repeat("To: a b c d e f g h\nx\n", 10000),
	"dashes":      strings.Repeat("--a-----b-----c-----d----e----f----g----h-\n", 20000),
	"one line":    strings.Repeat("a: ", 300000),
	"marks":       strings.Repeat(">", 500000) + "\n" + strings.Repeat("> ", 200000),
	"blocks":      strings.Repeat("> #orders wolf turn 1 ship Hood\n> #end\n", 10000),
	"half blocks": strings.Repeat("> #orders\n", 20000),
	"bars":        strings.Repeat("|", 500000) + strings.Repeat("\n| #orders wolf turn 1 ship Hood\n| ^", 10000),
	"barred text": strings.Repeat("| ", 200000) + "#orders\n" + strings.Repeat("| a #\n", 80000),
	"drawings":    strings.Repeat("*-_ ", 100000) + "\n" + strings.Repeat("* #orders wolf turn 1\n", 10000),
	"blanks":      strings.Repeat("a:\n\n\n\n\n", 100000),
	"replies":     strings.Repeat(">>> Kor 12:30 >>>\n> x\n", 20000),
}

// Any mail is cheap to search for quotations: each line is matched against a few expressions, long
// ones are not, and few are examined closely.
func TestQuotationsCostLittle(t *testing.T) {
	const closely = 3 * 3 * maxLooks * maxAttribution
	for name, text := range worst {
		raws, _ := orders.Scan([]byte(text))
		s := search{Page: NewPage(text, raws)}
		s.starts()
		if s.steps > 3*len(text)+closely {
			t.Errorf("%s: %d steps for %d bytes", name, s.steps, len(text))
		}
		longest := 0
		for _, l := range s.Lines {
			longest = max(longest, len(l))
		}
		if longest > len(text)/3 && s.steps > 3*(len(text)-longest)+closely {
			t.Errorf("%s: %d steps, though one line has %d of %d bytes", name, s.steps, longest, len(text))
		}
		// The text without marks, and the scanner's lines.
		if n := testing.AllocsPerRun(1, func() { markedBlocks(text, s.Page) }); n > float64(300+2*len(s.Lines)) {
			t.Errorf("%s: %.0f allocations for %d lines", name, n, len(s.Lines))
		}
	}
}

func BenchmarkQuotations(b *testing.B) {
	for name, text := range worst {
		raws, _ := orders.Scan([]byte(text))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				p := NewPage(text, raws)
				p.quotation()
				markedBlocks(text, p)
			}
		})
	}
}

func TestUnmark(t *testing.T) {
	for in, want := range map[string]string{
		"> a\n>  b\n>> c\n> > d\n  > e\nf\n>\nSW> g\n>h": "a\n b\nc\nd\ne\nf\n\ng\nh",
		"a > b\n": "a > b\n",
		"":        "",
	} {
		if got := Unmark(in); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}
