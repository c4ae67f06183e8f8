// Package forecast tells a captain what is wrong with an order set and what each of its lines would do, by the book's
// own rules of movement, in a game built from what the captain knows.
package forecast
