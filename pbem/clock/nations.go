package clock

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/rickar/cal/v2"
	"github.com/rickar/cal/v2/at"
	"github.com/rickar/cal/v2/be"
	"github.com/rickar/cal/v2/br"
	"github.com/rickar/cal/v2/ca"
	"github.com/rickar/cal/v2/ch"
	"github.com/rickar/cal/v2/cz"
	"github.com/rickar/cal/v2/de"
	"github.com/rickar/cal/v2/dk"
	"github.com/rickar/cal/v2/es"
	"github.com/rickar/cal/v2/fr"
	"github.com/rickar/cal/v2/gb"
	"github.com/rickar/cal/v2/ie"
	"github.com/rickar/cal/v2/it"
	"github.com/rickar/cal/v2/jp"
	"github.com/rickar/cal/v2/nl"
	"github.com/rickar/cal/v2/no"
	"github.com/rickar/cal/v2/nz"
	"github.com/rickar/cal/v2/pl"
	"github.com/rickar/cal/v2/se"
	"github.com/rickar/cal/v2/us"
	"github.com/rickar/cal/v2/za"

	"starpost/orders"
)

// nation is a country with its nationwide holidays.
type nation struct {
	code, name string
	calendar   *cal.Calendar
}

// nations are the countries with known holidays, by code. The library computes holidays in its own
// zone, by default the machine's; in UTC they are the same on every machine.
var nations = sync.OnceValue(func() []nation {
	cal.DefaultLoc = time.UTC
	return []nation{
		{"AT", "Austria", national(at.Holidays)},
		{"BE", "Belgium", national(be.Holidays)},
		{"BR", "Brazil", national(br.Holidays)},
		{"CA", "Canada", national(ca.Holidays)},
		{"CH", "Switzerland", national(ch.Holidays)},
		{"CZ", "Czechia", national(cz.Holidays)},
		{"DE", "Germany", national(de.Holidays)},
		{"DK", "Denmark", national(dk.Holidays)},
		{"ES", "Spain", national(es.Holidays)},
		{"FR", "France", national(fr.Holidays)},
		{"GB", "United Kingdom", national(gb.Holidays)},
		{"IE", "Ireland", national(ie.Holidays)},
		{"IT", "Italy", national(it.Holidays)},
		{"JP", "Japan", national(jp.Holidays)},
		{"NL", "Netherlands", national(nl.Holidays)},
		{"NO", "Norway", national(no.Holidays)},
		{"NZ", "New Zealand", national(nz.Holidays)},
		{"PL", "Poland", national(pl.Holidays)},
		{"SE", "Sweden", national(se.Holidays)},
		{"US", "United States", national(us.Holidays)},
		{"ZA", "South Africa", national(za.Holidays)},
	}
})

// national leaves out eves and days of remembrance, on which people work.
func national(list []*cal.Holiday) *cal.Calendar {
	// Not Cacheable: that cache is not safe for concurrent use.
	c := &cal.Calendar{}
	for _, h := range list {
		if h.Type != cal.ObservanceOther && h.Type != cal.ObservanceReligious {
			c.AddHoliday(h)
		}
	}
	return c
}

// countries returns the codes of the countries with known holidays.
func countries() []string {
	var codes []string
	for _, n := range nations() {
		codes = append(codes, n.code)
	}
	return codes
}

// nationOf finds a country by code; the error has the remedy.
func nationOf(code string) (*cal.Calendar, *CalendarError) {
	for _, n := range nations() {
		if strings.EqualFold(n.code, code) {
			return n.calendar, nil
		}
	}
	bad := &CalendarError{
		Key: "holidays", Problem: fmt.Sprintf("the holidays of %q are not known", code),
		Way: "use one of: " + strings.Join(countries(), ", ") + "; put other days into holidays_dates",
	}
	var words []string
	for _, n := range nations() {
		words = append(words, n.code, n.name)
	}
	near := orders.Suggest(code, words)
	if strings.EqualFold(code, "UK") {
		near = "GB"
	}
	for _, n := range nations() {
		if near != "" && (n.code == near || n.name == near) {
			bad.Way = fmt.Sprintf("did you mean %q (%s)?", n.code, n.name)
		}
	}
	return nil, bad
}
