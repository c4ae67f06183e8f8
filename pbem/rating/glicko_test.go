package rating

import (
	"math"
	"testing"
)

// TestTheExampleOfThePaper checks the example in section 3 of "Example of the Glicko-2 system".
func TestTheExampleOfThePaper(t *testing.T) {
	got := Rating{1500, 200, 0.06}.after([]outcome{
		{Rating{1400, 30, 0.06}, 1, 0.5}, {Rating{1550, 100, 0.06}, 0, 0.5}, {Rating{1700, 300, 0.06}, 0, 0.5},
	})
	near := func(what string, got, want, by float64) {
		if math.Abs(got-want) > by {
			t.Errorf("%s is %.5f, want %.5f", what, got, want)
		}
	}
	near("the rating", got.Rating, 1464.06, 0.01)
	near("the deviation", got.Deviation, 151.52, 0.01)
	near("the volatility", got.Volatility, 0.05999, 0.00001)
}

// TestWhoDoesNotPlayIsLessSure checks that the deviation grows, but never beyond that of an unrated
// player.
func TestWhoDoesNotPlayIsLessSure(t *testing.T) {
	r := Rating{1700, 60, 0.06}
	for range 2000 {
		next := r.after(nil)
		if next.Rating != 1700 || next.Deviation < r.Deviation || next.Deviation > 350 {
			t.Fatalf("after a period without games %+v became %+v", r, next)
		}
		r = next
	}
	if r.Deviation < 300 {
		t.Errorf("after very long the deviation is %.0f", r.Deviation)
	}
}

// TestOddsCorrectWhatAGameIsWorth checks that a win with the favoured side is worth less, and that
// a score equal to the odds changes nothing.
func TestOddsCorrectWhatAGameIsWorth(t *testing.T) {
	me, other := Rating{1500, 100, 0.06}, Rating{1500, 50, 0.06}
	easy := me.after([]outcome{{other, 1, 0.8}}).Rating
	even := me.after([]outcome{{other, 1, 0.5}}).Rating
	hard := me.after([]outcome{{other, 1, 0.2}}).Rating
	if !(1500 < easy && easy < even && even < hard) {
		t.Errorf("a victory makes 1500 to %.0f with good odds, %.0f with even ones, %.0f with bad ones", easy, even, hard)
	}
	games := make([]outcome, 0, 10)
	for i := range 10 {
		games = append(games, outcome{other, map[bool]float64{true: 1}[i < 8], 0.8})
	}
	if got := me.after(games).Rating; math.Abs(got-1500) > 0.5 {
		t.Errorf("eight of ten with odds of 80 to 20 make 1500 to %.1f", got)
	}
}
