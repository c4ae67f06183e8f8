// Package lobby answers what people may ask the robot who play no game, or who want to
// look something up: the rules in short, ship classes, scenarios, chapters of the
// handbook, an order or a diagnostic. All of it comes from what the program plays by.
package lobby
