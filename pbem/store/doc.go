// Package store says what the mail robot remembers of what it has done, so that doing it
// again changes nothing: which mails came, byte for byte, and how far each was
// handled, what must be sent, which reminders went out, whom was answered. Package sqlite keeps it in a file.
//
// It is not where games are kept: a turn is committed by the directory that
// holds it.
package store
