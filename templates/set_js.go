package templates

import "errors"

// In a browser the maps of this package are drawn, and no mails or pages: what draws those would only make its program larger.
var errNotHere = errors.New("no mails or pages are drawn in a browser")

func (*Set) draw(string, any, *page) error { return errNotHere }
