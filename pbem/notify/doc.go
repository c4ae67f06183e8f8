// Package notify sends news to destinations other than mail, such as a chat channel: what the pages of games show
// everyone. It knows no game and no address: it is given what is public, and sends nothing else.
//
// Invariants:
//
//   - It blocks no one. [Notifier.Offer] takes the state of the games and returns. A destination gets what has
//     changed since it took its last notice. So a destination that was away for a week gets one notice per game, not
//     a week of them, and there are never more pending notices than games.
//   - A notice is sent again, at growing intervals, until the destination takes it. If the program is killed, some
//     destinations get one twice.
//   - Addresses of this machine and of private networks are refused when the connection is made, whatever name led
//     there, unless the configuration allows them. Redirections are not followed.
//   - With a secret each request is signed: HMAC-SHA-256 (RFC 2104) of the time and the body.
package notify
