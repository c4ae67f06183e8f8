// Package outgoing composes mails to bytes and hands stored bytes to an SMTP server.
//
// It is not an outbox: the store knows what is due, what was tried and when to try again. It never
// composes while sending: a mail is rendered once and stored, and every attempt sends the same
// bytes under the same Message-ID.
//
// Invariants:
//   - Render is a pure function: the same Message gives the same bytes.
//   - Nothing in a Message can inject a header or a part.
//   - What Render writes is 7-bit clean with lines under 998 bytes, so every
//     server accepts it unchanged.
//   - A half-sent mail is never ended properly: after any trouble before the end
//     of DATA the connection is cut, so that no server takes the half for the whole.
//   - Every stage of sending ends with the caller's context, or after
//     Config.Timeout if the server is silent. Only the reply to a mail
//     that was sent completely is awaited for Config.Linger longer: without it the
//     mail would be sent twice.
//   - Without TLS only loopback hosts are used. Passwords never reach a log
//     or an error.
package outgoing
