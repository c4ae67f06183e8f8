// Package outgoing composes mails to bytes and hands stored bytes to an SMTP
// server.
//
// It is not an outbox: what is due, what was tried and when to try again is the
// store's to say. It never composes while sending: a mail is rendered once,
// stored, and every attempt sends the same bytes under the same Message-ID.
//
// Invariants:
//   - Render is a pure function: the same Message gives the same bytes.
//   - Nothing in a Message can add a header or a part of its own.
//   - What Render writes is 7-bit clean with lines under 998 bytes, so every
//     server takes it as it is.
//   - A half-sent mail is never ended properly: on any trouble before the end
//     of DATA the connection is cut, so that no server takes the half for whole.
//   - Every stage of sending ends with the caller's context, or with
//     Config.Timeout when the server keeps silent. Only the answer to a mail
//     that was said whole is waited for Config.Linger longer: without it the mail
//     would be sent twice.
//   - Without TLS only a loopback host is spoken to. Passwords never reach a log
//     or an error.
package outgoing
