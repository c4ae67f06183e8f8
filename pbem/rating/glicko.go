package rating

import "math"

// Rating is a strength by Glicko-2: with 95% probability the true one is within two deviations.
type Rating struct {
	Rating     float64 `json:"rating"`
	Deviation  float64 `json:"deviation"`
	Volatility float64 `json:"volatility"`
}

// unrated is the rating of someone without games (section 3, step 1).
var unrated = Rating{1500, 350, 0.06}

// The parameters that the paper leaves open, and its constants.
const (
	tau         = 0.5 // how fast volatility changes; 0.3 to 1.2 is sensible
	scale       = 173.7178
	convergence = 0.000001
)

// outcome is a game against an opponent: score is 1, 0.5 or 0, and odds the expected score between
// equals, 0.5 if neither has an advantage.
type outcome struct {
	against Rating
	score   float64
	odds    float64
}

// after returns the rating after a period with these games; without games only the deviation grows.
// The steps are those of the paper. Uneven odds shift the expected score on its logistic scale.
func (r Rating) after(games []outcome) Rating {
	mu, phi := (r.Rating-1500)/scale, r.Deviation/scale
	if len(games) == 0 {
		return Rating{r.Rating, min(scale*math.Hypot(phi, r.Volatility), unrated.Deviation), r.Volatility}
	}
	var information, surprise float64
	for _, o := range games {
		muJ, phiJ := (o.against.Rating-1500)/scale, o.against.Deviation/scale
		g := 1 / math.Sqrt(1+3*phiJ*phiJ/(math.Pi*math.Pi))
		expected := 1 / (1 + math.Exp(-g*(mu-muJ)-math.Log(o.odds/(1-o.odds))))
		information += g * g * expected * (1 - expected)
		surprise += g * (o.score - expected)
	}
	v := 1 / information
	delta := v * surprise
	sigma := volatility(r.Volatility, phi, v, delta)
	star := math.Hypot(phi, sigma)
	phi = 1 / math.Sqrt(1/(star*star)+1/v)
	mu += phi * phi * surprise
	return Rating{scale*mu + 1500, scale * phi, sigma}
}

// volatility is step 5: the root of f by the Illinois algorithm.
func volatility(sigma, phi, v, delta float64) float64 {
	a := math.Log(sigma * sigma)
	f := func(x float64) float64 {
		e := math.Exp(x)
		d := phi*phi + v + e
		return e*(delta*delta-d)/(2*d*d) - (x-a)/(tau*tau)
	}
	low, high := a, 0.0
	if delta*delta > phi*phi+v {
		high = math.Log(delta*delta - phi*phi - v)
	} else {
		k := 1.0
		for f(a-k*tau) < 0 {
			k++
		}
		high = a - k*tau
	}
	fLow, fHigh := f(low), f(high)
	for math.Abs(high-low) > convergence {
		mid := low + (low-high)*fLow/(fHigh-fLow)
		fMid := f(mid)
		if fMid*fHigh <= 0 {
			low, fLow = high, fHigh
		} else {
			fLow /= 2
		}
		high, fHigh = mid, fMid
	}
	return math.Exp(low / 2)
}
