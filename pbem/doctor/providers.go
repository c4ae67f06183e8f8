package doctor

import "strings"

// A provider is one by which many hosts send, and what it takes of one account.
type provider struct {
	hosts  []string // its servers end in one of these
	name   string
	perDay int    // recipients in 24 hours, at most
	limit  string // in words
	source string // the provider's own page
	read   string // when it said so: limits change without notice
}

// providers are those that say what their limits are. A limit of a trial account is lower.
var providers = []provider{
	{
		hosts: []string{"smtp.gmail.com", "smtp-relay.gmail.com"}, name: "Gmail", perDay: 2000,
		limit:  "2,000 mails a day of Google Workspace, 500 of other and trial accounts",
		source: "support.google.com/a/answer/166852", read: "November 2026",
	},
	{
		hosts: []string{"smtp.office365.com", "mail.protection.outlook.com"}, name: "Microsoft 365", perDay: 10000,
		limit:  "10,000 recipients a day and 30 mails a minute",
		source: "learn.microsoft.com/office365/servicedescriptions/exchange-online-service-description/exchange-online-limits", read: "November 2026",
	},
	{
		hosts: []string{"smtp.mail.yahoo.com", "smtp.bizmail.yahoo.com"}, name: "Yahoo", perDay: 500,
		limit:  "500 recipients a day",
		source: "help.yahoo.com, SLN17518", read: "November 2026",
	},
}

// providerOf is the provider whose server that is.
func providerOf(host string) (provider, bool) {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	for _, p := range providers {
		for _, h := range p.hosts {
			if host == h || strings.HasSuffix(host, "."+h) {
				return p, true
			}
		}
	}
	return provider{}, false
}

// remedy tells what is to be done about a verdict of a receiver.
func remedy(method string) string {
	switch method {
	case "spf":
		return "name the machine that sends for you in the domain's SPF record"
	case "dkim":
		return "have your mail server sign, or sign here: starpost dkim"
	}
	return "DMARC wants SPF or DKIM to pass for the domain of the address itself"
}
