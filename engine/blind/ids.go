package blind

import (
	"strconv"
	"strings"
)

// ShipID is the id of a ship or small craft, which no other word is compared with.
type ShipID string

// CaptainName is the name of a captain or an officer, by which lists and mails are his; no ship and no side is taken for
// one, whatever it is called.
type CaptainName string

// Is tells whether it is that name, in capitals or small letters.
func (c CaptainName) Is(name CaptainName) bool { return strings.EqualFold(string(c), string(name)) }

// Word is the name as one word, as the head of orders for all his ships has it.
func (c CaptainName) Word() string { return strings.ReplaceAll(string(c), " ", "-") }

// Fits tells whether words are the name, or that one word, in capitals or small letters.
func (c CaptainName) Fits(words string) bool {
	return strings.EqualFold(string(c), words) || strings.EqualFold(c.Word(), words)
}

// JoinNames is strings.Join for names of captains.
func JoinNames(names []CaptainName, between string) string {
	words := make([]string, len(names))
	for i, name := range names {
		words[i] = string(name)
	}
	return strings.Join(words, between)
}

// ContactNo is the number of an entry of a captain's list, from 1; 0 for none.
type ContactNo int

// Name is what a contact is called in orders and reports, where it stands for a ship: c07.
func (no ContactNo) Name() ShipID {
	if no < 10 {
		return ShipID("c0" + strconv.Itoa(int(no)))
	}
	return ShipID("c" + strconv.Itoa(int(no)))
}

// ParseNumber reads the name of a contact in any case, with or without its zeros.
func ParseNumber(name string) (no ContactNo, ok bool) {
	digits, found := strings.CutPrefix(strings.ToLower(name), "c")
	if !found || digits == "" || len(digits) > 4 || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return ContactNo(n), err == nil && n > 0
}
