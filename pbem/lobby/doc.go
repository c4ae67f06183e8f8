// Package lobby answers questions to the robot from people who are not in a game, or who want to
// look something up: rules summaries, ship classes, scenarios, chapters of the
// handbook, an order or a diagnostic. All of it comes from the program's own rules.
package lobby
