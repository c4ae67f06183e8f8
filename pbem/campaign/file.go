package campaign

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"starpost/engine"
	"starpost/engine/bounded"
	"starpost/engine/family"
	"starpost/orders"
	"starpost/pbem/disk"
)

// Limits of a roster.
const (
	maxBytes  = 4 << 20
	maxNames  = 1000
	maxLetter = 40
	maxRating = 99
	maxTotal  = 100_000
)

// New returns a roster without captains, ships and games. An empty shares and a nil split stand for
// the defaults.
func New(name, shares string, split *int) (*Roster, error) {
	r := &Roster{Format: Format, Name: name, Shares: shares, Split: split}
	return r, r.check()
}

// Parse parses a roster strictly: unknown keys, wrong types and impossible values are errors, most
// with their line. by defines the posts and their ratings.
func Parse(data []byte, by *family.CampaignRules) (*Roster, error) {
	var r Roster
	md, err := bounded.Decode(string(data), maxBytes, &r)
	if err != nil {
		line, _, message, hint := bounded.Place(err)
		return nil, fail(hint, "line %d: %s", max(1, line), message)
	}
	for key, names := range bounded.Unknown(&md, r) {
		way := orders.DidYouMean("%q", key[len(key)-1], names, "")
		return nil, fail(way, "unknown key %q", key.String())
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	if err := r.checkOfficers(string(data), by); err != nil {
		return nil, err
	}
	return &r, nil
}

// Read reads a roster from a file.
func Read(path string, by *family.CampaignRules) (*Roster, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the roster: %w", err)
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read the roster %s: %w", path, err)
	}
	r, err := Parse(data, by)
	if err != nil {
		return nil, fmt.Errorf("%s is not a roster: %w", path, err)
	}
	return r, nil
}

// Text returns the content of the roster's file.
func (r *Roster) Text() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("# A campaign's roster; see: starpost campaign --help\n\n")
	enc := toml.NewEncoder(&b)
	enc.Indent = ""
	if err := enc.Encode(r); err != nil {
		return nil, fmt.Errorf("write the roster: %w", err)
	}
	return b.Bytes(), nil
}

// Write replaces the roster's file, and waits until it is on stable storage.
func (r *Roster) Write(path string) error {
	text, err := r.Text()
	if err != nil {
		return err
	}
	if err := disk.Replace(path, text, 0o600); err != nil {
		return fmt.Errorf("write the roster %s: %w", path, err)
	}
	return nil
}

// check returns the first mistake.
func (r *Roster) check() error {
	if r.Format != Format {
		return fail("use a program that reads it; this one reads format 1", "format %d is not known", r.Format)
	}
	if err := plain("the campaign", r.Name); err != nil {
		return err
	}
	if err := checkSplit("the campaign", r.Split); err != nil {
		return err
	}
	if n := len(r.Captains) + len(r.Ships) + len(r.Games); n > maxNames {
		return fail("", "%d captains, ships and games, more than %d", n, maxNames)
	}
	if err := r.checkShips(); err != nil {
		return err
	}
	if err := r.checkCaptains(); err != nil {
		return err
	}
	for i, g := range r.Games {
		if err := plain("a game", g.ID); err != nil {
			return err
		}
		if len(g.Hash) != 64 || strings.Trim(g.Hash, "0123456789abcdef") != "" {
			return fail("", "game %s has no valid hash", g.ID)
		}
		for _, o := range r.Games[:i] {
			if o.ID == g.ID || o.Hash == g.Hash {
				return fail("", "game %s occurs twice", g.ID)
			}
		}
	}
	return nil
}

func checkSplit(of string, split *int) error {
	if split != nil && (*split < 0 || *split > 100) {
		return fail("use for example split = 50, which gives half of a ship's points to her captain", "%s has split %d, which must be a percentage from 0 to 100", of, *split)
	}
	return nil
}

func (r *Roster) checkShips() error {
	seen := map[string]bool{}
	for _, s := range r.Ships {
		if err := plain("a ship", s.Name); err != nil {
			return err
		}
		if strings.ContainsFunc(s.Name, unicode.IsSpace) {
			return fail("write it as name = \"Hood\"", "ship %q: scenarios need one word", s.Name)
		}
		if err := plain("the class of "+s.Name, s.Class); err != nil {
			return err
		}
		if seen[strings.ToLower(s.Name)] {
			return fail("", "ship %s occurs twice", s.Name)
		}
		seen[strings.ToLower(s.Name)] = true
		if err := figures("ship "+s.Name, "efficiency", s.Efficiency, s.Points, s.Rolls); err != nil {
			return err
		}
		if !slices.Contains([]string{InService, Lost, Taken}, s.Status) {
			return fail("use one of: in service, lost, taken", "ship %s has status %q", s.Name, s.Status)
		}
	}
	return nil
}

func (r *Roster) checkCaptains() error {
	seen, posts := map[string]bool{}, map[string]engine.CaptainName{}
	for _, c := range r.Captains {
		name, whose := strings.ToLower(string(c.Name)), "captain "+string(c.Name)
		if err := plain("a captain", string(c.Name)); err != nil {
			return err
		}
		if seen[name] {
			return fail("", "captain %s occurs twice", c.Name)
		}
		seen[name] = true
		if err := figures(whose, "skill", c.Skill, c.Points, c.Rolls); err != nil {
			return err
		}
		if err := checkSplit(whose, c.Split); err != nil {
			return err
		}
		if !slices.Contains([]string{Serving, Prisoner, Dead}, c.Status) {
			return fail("use one of: serving, prisoner, dead", "captain %s has status %q", c.Name, c.Status)
		}
		if c.Spare < 0 || c.Spare > maxTotal || len(c.Ratings) > maxRating {
			return fail("", "captain %s: spare is %d, and there are %d ratings", c.Name, c.Spare, len(c.Ratings))
		}
		for _, key := range slices.Sorted(maps.Keys(c.Ratings)) {
			if err := figures(whose, key, c.Ratings[key], 0, nil); err != nil {
				return err
			}
		}
		if c.Ship == "" {
			if c.Post != "" {
				return fail("add a ship, or remove the post", "captain %s has a post, %q, but no ship", c.Name, c.Post)
			}
			continue
		}
		s := r.Ship(c.Ship)
		switch {
		case s == nil:
			return r.unknown("ship", c.Ship)
		case c.Status != Serving || s.Status != InService:
			return fail("", "captain %s (%s) cannot have ship %s (%s)", c.Name, c.Status, s.Name, s.Status)
		case posts[s.Name+"/"+c.Post] != "" && c.Post != "":
			return fail("", "%s of %s is given to two, %s and %s", c.Post, s.Name, posts[s.Name+"/"+c.Post], c.Name)
		case posts[s.Name+"/"+c.Post] != "":
			return fail("", "ship %s has two captains, %s and %s", s.Name, posts[s.Name+"/"], c.Name)
		}
		posts[s.Name+"/"+c.Post] = c.Name
	}
	return nil
}

// checkOfficers returns an error, with the line in the text, for an unknown post or skill.
func (r *Roster) checkOfficers(text string, by *family.CampaignRules) error {
	for _, c := range r.Captains {
		wrong := func(key, word string, known []string, format string, args ...any) error {
			return fail(orders.DidYouMean("%q", word, known, "one of "+strings.Join(known, ", ")),
				"line %d: captain %s: %s", lineOf(text, c.Name, key), c.Name, fmt.Sprintf(format, args...))
		}
		post, ok := ratedPost(by, c.Post)
		if !ok {
			return wrong("post", c.Post, postNames(by), "there is no post %q", c.Post)
		}
		known := []string{dexterity}
		for _, p := range by.Posts {
			known = append(known, p.Skills...)
		}
		for _, key := range slices.Sorted(maps.Keys(c.Ratings)) {
			if !slices.Contains(known, key) {
				return wrong(key, key, known, "there is no skill %q", key)
			}
		}
		switch {
		case c.Learns == "" || slices.Contains(post.Skills, c.Learns):
		case len(post.Skills) == 0:
			return fail("remove it: a captain's points go to skill as captain", "line %d: captain %s: learns is for officers", lineOf(text, c.Name, "learns"), c.Name)
		default:
			return wrong("learns", c.Learns, post.Skills, "%s does not use %q", c.Post, c.Learns)
		}
	}
	return nil
}

// ratedPost returns a post; the captain's always exists.
func ratedPost(by *family.CampaignRules, post string) (family.RatedPost, bool) {
	if i := slices.IndexFunc(by.Posts, func(p family.RatedPost) bool { return p.Post == post }); i >= 0 {
		return by.Posts[i], true
	}
	return family.RatedPost{}, post == ""
}

// postNames returns the posts of officers.
func postNames(by *family.CampaignRules) (names []string) {
	for _, p := range by.Posts {
		if p.Post != "" {
			names = append(names, p.Post)
		}
	}
	return names
}

// lineOf returns the line of a roster's text where a captain has a key, or else that of the
// captain's name.
func lineOf(text string, captain engine.CaptainName, key string) int {
	line, his, at := 0, false, 1
	for l := range strings.Lines(text) {
		line++
		word, value, _ := strings.Cut(l, "=")
		switch word = strings.Trim(word, " \t\"'"); {
		case word == "name":
			if his {
				return at
			}
			if his = strings.Trim(value, " \t\r\n\"'") == string(captain); his {
				at = line
			}
		case his && (word == key || word == "ratings" && strings.Contains(value, key)):
			return line
		}
	}
	return at
}

func figures(whose, what string, rating, points int, rolls []int) error {
	if rating < 1 || rating > maxRating {
		return fail("", "%s: %s is %d, expected 1 to %d", whose, what, rating, maxRating)
	}
	if points < 0 || points > maxTotal {
		return fail("", "%s: points are %d, expected 0 to %d", whose, points, maxTotal)
	}
	if len(rolls) > 10 {
		return fail("", "%s: %d rolls", whose, len(rolls))
	}
	return nil
}

// plain checks that a text is short and printable.
func plain(what, text string) error {
	switch n := utf8.RuneCountInString(text); {
	case strings.TrimSpace(text) == "":
		return fail("", "%s has no name", what)
	case n > maxLetter:
		return fail("", "the name of %s has %d letters, more than %d", what, n, maxLetter)
	case !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fail("", "the name of %s has unprintable characters", what)
	case !engine.NameLine(text):
		return fail("leave out < and >", "the name of %s contains < or >, which scenarios do not allow", what)
	}
	return nil
}
