// Package token gets the access tokens with which one logs in to a mail server
// instead of a password: from a file, from a command, or by OAuth 2.0.
//
// It logs in nowhere (packages mailbox and outgoing do), and asks no user for
// permission: the first refresh token is got by the mailbox's owner with the
// provider's own means.
//
// Invariants:
//   - Every wait ends with the context, and after a limit of its own.
//   - No token and no secret stands in an error or in the log, nor does what a
//     command says beside its first line.
//   - A refresh token that the provider replaces is kept where the old one was.
package token
