package turn

import "slices"

// Edit is a line of a comparison: the same on both sides, changed, or on one side only.
type Edit struct {
	Was, Is string
	Same    bool
	A, B    int // its index in the first and the second text, from 0; -1 for none
}

// CompareLines aligns two texts so that as many lines as possible match. Between two matching
// lines, removed and added lines are paired in order.
func CompareLines(was, is []string) []Edit {
	var out []Edit
	var gone, come []int
	settle := func() {
		for i := range max(len(gone), len(come)) {
			e := Edit{A: -1, B: -1}
			if i < len(gone) {
				e.A, e.Was = gone[i], was[gone[i]]
			}
			if i < len(come) {
				e.B, e.Is = come[i], is[come[i]]
			}
			out = append(out, e)
		}
		gone, come = nil, nil
	}
	i, j := 0, 0
	for _, m := range matches(was, is) {
		for ; i < m[0]; i++ {
			gone = append(gone, i)
		}
		for ; j < m[1]; j++ {
			come = append(come, j)
		}
		settle()
		if i == len(was) && j == len(is) {
			break // the end of both is no line
		}
		out = append(out, Edit{Was: was[i], Is: is[j], Same: true, A: i, B: j})
		i, j = i+1, j+1
	}
	return out
}

// matches returns the index pairs of a longest common subsequence and, at the end, the lengths of
// both texts.
func matches(a, b []string) [][2]int {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out [][2]int
	for i := range head {
		out = append(out, [2]int{i, i})
	}
	x, y := a[head:len(a)-tail], b[head:len(b)-tail]
	// best[i][j] is the length of the longest common subsequence of x[i:] and y[j:].
	best := make([][]int32, len(x)+1)
	for i := range best {
		best[i] = make([]int32, len(y)+1)
	}
	for i := range slices.Backward(x) {
		for j := range slices.Backward(y) {
			if x[i] == y[j] {
				best[i][j] = best[i+1][j+1] + 1
			} else {
				best[i][j] = max(best[i+1][j], best[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i] == y[j]:
			out = append(out, [2]int{head + i, head + j})
			i, j = i+1, j+1
		case best[i+1][j] >= best[i][j+1]:
			i++
		default:
			j++
		}
	}
	for i := range tail {
		out = append(out, [2]int{len(a) - tail + i, len(b) - tail + i})
	}
	return append(out, [2]int{len(a), len(b)})
}
