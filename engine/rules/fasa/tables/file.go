package tables

import (
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"

	"starpost/engine/bounded"
	"starpost/engine/family"
	"starpost/engine/tactical"
	"starpost/orders"
)

// tableFile is a table file, in strict TOML. It may hold any of these tables; the built-in files
// are split by subject.
type tableFile struct {
	Source     string `toml:"source"` // for weapons and designs of the file that name no source
	Confidence string `toml:"confidence"`

	Charts    *chartTable           `toml:"charts"`
	Locations *locationTable        `toml:"locations"`
	Simple    *locationTable        `toml:"simple_locations"`
	Shields   *shieldTable          `toml:"shields"`
	Arcs      *arcTable             `toml:"arcs"`
	Families  map[string]familyRow  `toml:"families"`
	Weapons   map[string]*weaponRow `toml:"weapons"`
	Designs   map[string]*designRow `toml:"designs"`
	courseTables

	name   string
	text   string
	places bounded.Places // computed at the first mistake
}

// credits is where a table comes from, and how reliable it is.
type credits struct {
	Source     string `toml:"source"`
	Confidence string `toml:"confidence"`
}

type chartTable struct {
	credits
	ToHit map[string][]int `toml:"to_hit"`
	Sum   map[string]int   `toml:"sum"` // check digits
}

type locationTable struct {
	credits
	Faces []string `toml:"faces"`
}

type shieldTable struct {
	credits
	Clockwise []int `toml:"clockwise"`
}

type arcTable struct {
	credits
	Degrees map[string][][]int `toml:"degrees"`
}

type familyRow struct {
	Kind  string `toml:"kind"`
	Title string `toml:"title"`
	Shots int    `toml:"shots"`
}

type weaponRow struct {
	Family     string     `toml:"family"`
	Chart      string     `toml:"chart"`
	MaxPower   int        `toml:"max_power"`
	Arm        int        `toml:"arm"`
	Damage     int        `toml:"damage"`
	Bands      bandText   `toml:"bands"`
	Plasma     plasmaText `toml:"plasma"`
	WDF        tenths     `toml:"wdf"`
	Source     string     `toml:"source"`
	Confidence string     `toml:"confidence"`
	Note       string     `toml:"note"`
}

type designRow struct {
	Title          string         `toml:"title"`
	Navy           string         `toml:"navy"`
	Class          string         `toml:"class"`
	Superstructure int            `toml:"superstructure"`
	Warp           []int          `toml:"warp"`
	Impulse        int            `toml:"impulse"`
	Engines        string         `toml:"engines"` // "assumed" where no print gives the split of the power over them
	Move           tactical.Ratio `toml:"move"`
	Shield         tactical.Ratio `toml:"shield"`
	MaxShield      int            `toml:"max_shield"`
	Cloak          int            `toml:"cloak"`
	Outpost        bool           `toml:"outpost"`
	Crew           int            `toml:"crew"`
	Stress         string         `toml:"stress"`
	DamageChart    string         `toml:"damage_chart"`
	Cruise         int            `toml:"cruise"`
	Emergency      int            `toml:"emergency"`
	Banks          []bankText     `toml:"banks"`
	Arcs           string         `toml:"arcs"`
	ArcsNote       string         `toml:"arcs_note"`
	D              tenths         `toml:"d"`
	WDF            tenths         `toml:"wdf"`
	CE             tenths         `toml:"ce"`
	WER            tenths         `toml:"wer"` // warp engine rating, impulse engine rating and deflector power
	IER            tenths         `toml:"ier"` // capacity: D follows from them
	DPC            tenths         `toml:"dpc"`
	Source         string         `toml:"source"`
	Confidence     string         `toml:"confidence"`
	Note           string         `toml:"note"`
}

// The compact text forms are types, so that the decoder gives their errors a position.
type (
	bandText   []Band
	plasmaText []PlasmaBand
	bankText   BankDesign
)

// UnmarshalText implements encoding.TextUnmarshaler; see parseBands.
func (b *bandText) UnmarshalText(text []byte) (err error) {
	*b, err = parseBands(string(text))
	return err
}

// UnmarshalText implements encoding.TextUnmarshaler; see parsePlasma.
func (p *plasmaText) UnmarshalText(text []byte) (err error) {
	*p, err = parsePlasma(string(text))
	return err
}

// UnmarshalText implements encoding.TextUnmarshaler; see parseBank.
func (b *bankText) UnmarshalText(text []byte) error {
	bank, err := parseBank(string(text))
	*b = bankText(bank)
	return err
}

// at returns an error for a mistake at a key, or at the nearest table or key above it.
func (t *tableFile) at(message string, key ...string) error {
	if t.places == nil {
		t.places = bounded.FindPlaces(t.text)
	}
	at := t.places.Of(key...)
	return &family.TableError{File: t.name, Line: at.Line, Col: at.Col, Message: message}
}

// maxTableBytes bounds one table file.
const maxTableBytes = 256 << 10

// readTables decodes one file strictly: unknown keys, keys in the wrong case and values of the
// wrong type are errors with their position.
func readTables(name string, data []byte) (*tableFile, error) {
	t := &tableFile{name: name, text: string(data)}
	md, err := bounded.Decode(t.text, maxTableBytes, t)
	if err != nil {
		return nil, t.placed(err)
	}
	errs := t.shapes(&md)
	for key, names := range bounded.Unknown(&md, t) {
		msg := fmt.Sprintf("unknown key %s", quoted(key.String()))
		if s := orders.Suggest(key[len(key)-1], names); s != "" {
			msg += ", did you mean " + s + "?"
		}
		errs = append(errs, t.at(msg, key...))
	}
	return t, joined(errs)
}

// shapes finds values that should be tables by name and are not: the decoder skips them
// silently.
func (t *tableFile) shapes(md *toml.MetaData) (errs []error) {
	for _, m := range []struct {
		missing bool
		key     []string
	}{
		{t.Families == nil, []string{"families"}},
		{t.Weapons == nil, []string{"weapons"}},
		{t.Designs == nil, []string{"designs"}},
		{t.Charts != nil && t.Charts.ToHit == nil, []string{"charts", "to_hit"}},
		{t.Charts != nil && t.Charts.Sum == nil, []string{"charts", "sum"}},
		{t.Arcs != nil && t.Arcs.Degrees == nil, []string{"arcs", "degrees"}},
	} {
		if m.missing && md.IsDefined(m.key...) {
			name := strings.Join(m.key, ".")
			errs = append(errs, t.at(fmt.Sprintf("%s: expected tables by name, such as [%s.NAME]", name, name), m.key...))
		}
	}
	return errs
}

// placed gives the decoder's errors their position in the file.
func (t *tableFile) placed(err error) error {
	line, col, msg, _ := bounded.Place(err)
	return &family.TableError{File: t.name, Line: line, Col: col, Message: msg}
}

// joined joins the mistakes, or the first twenty of them.
func joined(errs []error) error {
	const most = 20
	if n := len(errs) - most; n > 0 {
		errs = append(errs[:most:most], fmt.Errorf("and %d more", n))
	}
	return errors.Join(errs...)
}
