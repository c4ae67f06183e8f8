// Package token obtains access tokens, with which one logs in to a mail server instead of a
// password: from a file, from a command, or by OAuth 2.0.
//
// It does not log in (packages mailbox and outgoing do), and asks no user for permission: the
// mailbox's owner obtains the first refresh token with the provider's own tools.
//
// Invariants:
//   - Every wait ends with the context, and after a limit of its own.
//   - No token and no secret appears in an error or in the log, nor does
//     anything but the first line of a command's output.
//   - A refresh token that the provider replaces is stored in place of the old one.
package token
