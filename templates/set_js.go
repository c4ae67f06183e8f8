package templates

import "errors"

// In a browser this package draws maps only: the code that draws mails and pages would only make the program larger.
var errNotHere = errors.New("no mails or pages are drawn in a browser")

func (*Set) draw(string, any, *page) error { return errNotHere }
