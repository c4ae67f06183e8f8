// Package transport is what connections to IMAP and SMTP servers have in common: which server, how
// the connection is secured, how to log in, and what a broken connection means.
//
// It speaks no protocol: packages mailbox and outgoing do. It holds no secret of its own and
// fetches no token: the caller supplies a password or a source of tokens.
//
// Invariants:
//   - Without TLS only loopback hosts are used.
//   - Passwords and tokens never reach a log or an error.
//   - A server's text is cut and cleaned before a person sees it.
package transport
