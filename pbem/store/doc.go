// Package store defines what the mail robot remembers of its work, so that repeating a step
// changes nothing: which mails came in, byte for byte, and how far each was handled; what
// must be sent; which reminders went out; who was answered. Packages sqlite and postgres keep it.
//
// Games are not kept here: a turn is committed to the game's own record (package record).
package store
