// Package realmail tries the built program from outside, as its users meet it:
// a process on a configuration, beside mail servers and mail clients that were
// made by others. It holds tests only, behind the tag "integration"; .ci/servers
// starts the servers and tells where they are.
//
// It is not where an adapter is tried: the contracts of mailbox and outgoing run on
// the same servers, from their own packages.
package realmail
