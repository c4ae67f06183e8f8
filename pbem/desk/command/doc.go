// Package command has the commands that captains send by mail: the list of them, how
// they are found in a mail, and what their words mean.
//
// A command is a word with what belongs to it, such as "status wolf" or "#vote draw".
// A [Spec] is its row in the list ([All]): its usage, what the documentation says of it, and who may
// send it. To add one, add the row, a case to readCommand, and in package desk what is done of it.
//
// A [Finder] looks for commands in a [blocks.Page]. The sign # begins one on any line that is not
// quoted and not in an order set. Without the sign one counts only on the first line
// that says something, or in the subject, and only if the whole line can be read: people begin
// sentences with the same words. What is almost a command is not done but spoken of
// ([Finder.Near], and the remarks that [Finder.Find] gives).
//
// Nothing here knows who sent a mail, or does anything. What a [Command] asks for
// may be nonsense for the game that it names; that is for package desk.
package command
