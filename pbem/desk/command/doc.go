// Package command implements the commands that captains send by mail: the list of them, how
// they are found in a mail, what their words mean, and what they do.
//
// A command is a word with its arguments, such as "status wolf" or "#vote draw".
// A [Spec] is its entry in the list ([All]): usage, documentation, who may
// send it, what it excludes, and the functions that read its words and decide it. Each command
// has its own file. Files use each other in one direction: types, what commands
// share, the commands, the list, the finder.
//
// A [Finder] finds commands in a [blocks.Page]. The sign # begins one on any line that is not
// quoted and not in an order set. Without the sign, a command counts only on the first non-empty
// line or in the subject, and only if the whole line can be read: sentences may begin
// with the same words. An almost valid command is not done, but the answer mentions it
// ([Finder.Near], and the remarks of [Finder.Find]).
//
// A [Task] holds the commands of one mail, on top of the mail, its order sets and its effects. A
// [Result] is the result of one command: changes to do later, mails, and words for the answer,
// which package desk composes.
package command
