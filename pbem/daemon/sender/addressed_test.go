package sender

import (
	"strings"
	"testing"
)

// TestHeadersGetThePresentAddress: From and Reply-To get the robot's current address, with the turn
// key only where replies to it arrive. Nothing else is changed.
func TestHeadersGetThePresentAddress(t *testing.T) {
	mail := func(from, replyTo string) string {
		return "From: " + from + "\r\nTo: Ann <ann@away.test>\r\nReply-To:" + replyTo +
			"\r\nSubject: From: robot@home.test\r\n robot@home.test\r\n\r\nFrom: robot@home.test\r\n"
	}
	for name, c := range map[string]struct {
		address  string
		plus     bool
		was, now [2]string
	}{
		"as it is":              {"robot@home.test", true, [2]string{"Starpost <robot@home.test>", " robot+k7@home.test"}, [2]string{"Starpost <robot@home.test>", " robot+k7@home.test"}},
		"moved":                 {"host@new.test", true, [2]string{"Starpost <robot@home.test>", " robot+k7@home.test"}, [2]string{"Starpost <host@new.test>", " host+k7@new.test"}},
		"moved, no plus":        {"host@new.test", false, [2]string{"robot@home.test", " robot+k7@home.test"}, [2]string{"host@new.test", " host@new.test"}},
		"folded":                {"host@new.test", true, [2]string{"Starpost\r\n\t<robot@home.test>", "\r\n robot+k7@home.test"}, [2]string{"Starpost\r\n\t<host@new.test>", "\r\n host+k7@new.test"}},
		"address as a name":     {"host@new.test", true, [2]string{`"a@b.test, c" <robot@home.test>`, " robot@home.test"}, [2]string{`"a@b.test, c" <host@new.test>`, " host@new.test"}},
		"at signs that are bad": {"host@new.test", true, [2]string{"@ robot@home.test @", " nobody @ home"}, [2]string{"@ host@new.test @", " nobody @ home"}},
	} {
		was, want := mail(c.was[0], c.was[1]), mail(c.now[0], c.now[1])
		if got := string(addressed([]byte(was), c.address, c.plus)); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
	same := []byte(mail("robot@home.test", " robot+k7@home.test"))
	if got := addressed(same, "robot@home.test", true); &got[0] != &same[0] {
		t.Error("a mail in which nothing changes was copied")
	}
	large := []byte(mail("robot@home.test", " robot+k7@home.test") + strings.Repeat("x", 1000))
	if n := testing.AllocsPerRun(10, func() { addressed(large, "robot@home.test", true) }); n > 2 {
		t.Errorf("%v allocations for nothing", n)
	}
}
