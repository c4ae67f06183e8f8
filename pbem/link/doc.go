// Package link is what both ends of the post have in common: which server,
// how the connection is secured, how one logs in there, and what a broken
// connection means.
//
// It speaks no protocol: packages mailbox and post do. It holds no secret of
// its own and fetches no token: a password or a source of tokens is handed in.
//
// Invariants:
//   - Without TLS only a loopback host is spoken to.
//   - Passwords and tokens never reach a log or an error.
//   - What a server said is cut and cleaned before a person sees it.
package link
