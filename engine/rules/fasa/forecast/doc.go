// Package forecast tells a captain what is wrong with an order set and what each of its lines
// would do. It follows the set by the book's own rules of movement, on a game made of what the
// captain knows, as if no dice were rolled and other ships stayed where they are.
package forecast
