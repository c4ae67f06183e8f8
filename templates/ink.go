package templates

import "starpost/templates/clean"

// ink is a buffer of markup with short names for what is written most.
//
// Its methods append to the field itself wherever they can: the compiler then stores no
// pointer, so the garbage collector needs no write barrier.
type ink struct{ b []byte }

// s writes markup of our own.
func (k *ink) s(s string) *ink { k.b = append(k.b, s...); return k }

// line ends a line, for readers of the source.
func (k *ink) line() *ink { k.b = append(k.b, '\n'); return k }

// t writes untrusted text, cleaned and escaped.
func (k *ink) t(s string) *ink {
	if clean.Plain(s, clean.Escaped) {
		k.b = append(k.b, s...)
	} else {
		k.b = clean.Append(k.b, s, clean.Escaped)
	}
	return k
}

// n writes a number.
func (k *ink) n(n int) *ink { k.b = appendInt(k.b, n); return k }

// xy writes two coordinates with the shortest separator.
func (k *ink) xy(x, y int) *ink {
	k.n(x)
	if y >= 0 {
		k.b = append(k.b, ' ')
	}
	return k.n(y)
}

func (k *ink) label(n int) *ink { k.b = appendCoord(k.b, n); return k }

// fixed2 writes hundredths as a decimal fraction.
func (k *ink) fixed2(n int) *ink {
	k.n(n / 100)
	if n%100 != 0 {
		k.b = append(k.b, '.', byte('0'+n/10%10))
		if n%10 != 0 {
			k.b = append(k.b, byte('0'+n%10))
		}
	}
	return k
}

// fixed4 writes ten-thousandths as a decimal fraction.
func (k *ink) fixed4(n int64) *ink {
	k.n(int(n / 10000))
	n %= 10000
	k.b = append(k.b, '.')
	for div := int64(1000); div > 0; div /= 10 {
		k.b = append(k.b, byte('0'+n/div%10))
	}
	return k
}

func abs(n int) int { return max(n, -n) }
