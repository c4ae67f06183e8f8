// Package forecast tells a captain what is wrong with his order set and what each line of it
// would do, by the book's own rules of movement on a game made of what he knows.
package forecast
