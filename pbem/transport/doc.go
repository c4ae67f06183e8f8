// Package transport is what connections to IMAP and SMTP servers have in common:
// which server, how the connection is secured, how to log in, and what a broken
// connection means.
//
// It speaks no protocol: packages mailbox and outgoing do. It holds no secret of
// its own and fetches no token: a password or a source of tokens is handed in.
//
// Invariants:
//   - Without TLS only a loopback host is spoken to.
//   - Passwords and tokens never reach a log or an error.
//   - What a server said is cut and cleaned before a person sees it.
package transport
