// Package cites is what the rule books of this family have paragraphs on, and where each has it.
//
// An event, or a text for captains, cites a [Topic], never a number; a [Book] gives the numbers in
// the book that is played: [Book.Of] for the cause of an event, [Book.In] for a text that refers to
// topics by [Topic.Ref]. These maps are the only place where numbers of paragraphs and rulings stand
// in code, which a test of the rules holds. Package fasa says what each paragraph number is about;
// what the rules do is not told here.
package cites
