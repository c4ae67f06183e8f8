// Package cites lists the topics that the rule books of this family treat, and where each book does.
//
// An event, or a text for captains, cites a [Topic], never a number. The [Book] of the game gives the
// numbers: [Book.Of] for the cause of an event, [Book.In] for a text that refers to topics by
// [Topic.Ref]. These maps are the only place in the code with numbers of paragraphs and rulings; a
// test checks that. The doc of package fasa lists what each paragraph number is about; this package
// does not say what the rules do.
package cites
