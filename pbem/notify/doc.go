// Package notify tells places outside of mail, such as a channel of a chat, what the pages of games tell everybody. It
// knows no game and no address: it is handed what is public, and sends nothing else.
//
// What it holds true:
//
//   - Nobody waits for it. [Notifier.Offer] takes how games stand and returns; what is told a place is what has changed since
//     the place took the last notice. So a place that was away for a week gets one notice a game, not a week of them, and what
//     waits is never more than there are games.
//   - A notice is sent until the place takes it, more and more rarely. Some places get one twice when the program is killed.
//   - Addresses of this machine and of private networks are refused when the connection is made, whatever name led there,
//     unless the configuration allows them. Redirections are not followed.
//   - With a secret each request is signed: HMAC-SHA-256 (RFC 2104) of the time and the body.
package notify
