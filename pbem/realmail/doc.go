// Package realmail tests the built program from outside, as its users meet it:
// a process with a configuration file, real mail servers (such as Dovecot and
// Postfix) and real mail clients. It contains only tests, behind the build tag
// "integration". .ci/servers starts the servers and passes on their addresses.
//
// Adapters are not tested here: the contract tests of mailbox and outgoing run on
// the same servers, from their own packages.
package realmail
