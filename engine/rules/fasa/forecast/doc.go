// Package forecast tells a captain what is wrong with his order set and what each line of it
// would do. It follows the set by the book's own rules of movement on a game made of what he
// knows, as if nothing happened by chance and other ships stayed where they are.
package forecast
