// Package command has the commands that captains send by mail: the list of them, how
// they are found in a mail, what their words mean, and what is done of them.
//
// A command is a word with what belongs to it, such as "status wolf" or "#vote draw".
// A [Spec] is its row in the list ([All]): its usage, what the documentation says of it, who may
// send it, what it clashes with, and the functions that read its words and decide it. These stand
// in a file of the command's own. Files use each other in one direction: types, what commands
// share, the commands, the list, the search.
//
// A [Finder] looks for commands in a [blocks.Page]. The sign # begins one on any line that is not
// quoted and not in an order set. Without the sign one counts only on the first line
// that says something, or in the subject, and only if the whole line can be read: people begin
// sentences with the same words. What is almost a command is not done but spoken of
// ([Finder.Near], and the remarks that [Finder.Find] gives).
//
// A [Task] is the commands of one mail, with the mail, its order sets and its effects below; a
// [Result] is what one of them comes to: changes to do later, mails, and words for the answer,
// which package desk puts together.
package command
