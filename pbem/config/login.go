package config

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"starpost/pbem/transport"
)

// OAuth configures OAuth 2.0 access tokens: from a refresh token that the owner obtained once or,
// without one, from the program's own credentials (client credentials).
type OAuth struct {
	TokenURL         string   `toml:"token_url"`
	ClientID         string   `toml:"client_id"`
	ClientSecretFile string   `toml:"client_secret_file,omitempty"`
	ClientSecretEnv  string   `toml:"client_secret_env,omitempty"`
	ClientSecret     Secret   `toml:"-"`
	RefreshTokenFile string   `toml:"refresh_token_file,omitempty"` // read again at each use; a new refresh token is written there
	RefreshTokenEnv  string   `toml:"refresh_token_env,omitempty"`
	RefreshToken     Secret   `toml:"-"` // when the configuration was read
	Scopes           []string `toml:"scopes,omitempty"`
}

// login reads the login for a server, without secrets. With needed, a login is required.
func (t *table) login(s *Server, dir string, needed bool) {
	s.User = t.text("user", "")
	s.Auth = t.word("auth", transport.Password, transport.Password, transport.XOAuth2, transport.OAuthBearer)
	s.PasswordFile, s.PasswordEnv = t.held("password", dir)
	s.TokenFile, s.TokenEnv = t.held("token", dir)
	s.TokenCommand = t.list("token_command")
	if len(s.TokenCommand) > 0 && strings.Contains(s.TokenCommand[0], "/") {
		s.TokenCommand[0] = absolute(dir, s.TokenCommand[0])
	}
	s.OAuth = t.oauth(dir)

	var passwords, tokens []string
	for _, key := range []string{"password_file", "password_env"} {
		if _, there := t.values[key]; there {
			passwords = append(passwords, key)
		}
	}
	for _, key := range []string{"token_command", "token_file", "token_env", "oauth"} {
		if _, there := t.values[key]; there {
			tokens = append(tokens, key)
		}
	}
	given := slices.Concat(passwords, tokens)
	if s.User == "" {
		defer func() { s.Auth = "" }() // there is no login
	}
	switch {
	case s.User == "" && needed:
		t.problem(t.path, t.name("user")+" is missing", "give the name to log in with, often the whole address")
	case s.User == "" && len(passwords) > 0:
		t.problem(t.path, "a password is given, but no "+t.name("user"), "add user")
	case s.User == "" && (len(tokens) > 0 || s.Auth != transport.Password):
		t.problem(t.path, "a login method is given, but no "+t.name("user"), "add user")
	case s.User == "":
	case s.Auth == transport.Password && len(tokens) > 0:
		t.bad(tokens[0], fmt.Sprintf("%s is given, but the login is by password", t.name(tokens[0])),
			fmt.Sprintf("add auth = %q or auth = %q, or remove the token", transport.XOAuth2, transport.OAuthBearer))
	case s.Auth == transport.Password && len(passwords) == 0 && !t.holdsPassword():
		t.bad("user", fmt.Sprintf("no password is given for %s", t.name("user")), "add password_file or password_env")
	case s.Auth != transport.Password && len(passwords) > 0:
		t.bad(passwords[0], fmt.Sprintf("%s is given, but the login is by token", t.name(passwords[0])), "remove it, or remove auth")
	case s.Auth != transport.Password && len(tokens) == 0:
		t.bad("auth", fmt.Sprintf("no token is given for %s", t.name("user")), fmt.Sprintf("add token_command, token_file, token_env or a section [%s]", t.section("oauth")))
	case len(given) > 1:
		t.bad(given[1], fmt.Sprintf("%s and %s are both given", t.name(given[0]), t.name(given[1])), "keep one of them")
	}
}

// held reads where a secret is: in a file, with its path made absolute, or in an environment
// variable.
func (t *table) held(what, dir string) (file, variableName string) {
	if file = t.text(what+"_file", ""); file != "" {
		file = absolute(dir, file)
	}
	key := what + "_env"
	variableName = t.text(key, "")
	if variableName != "" && !variable().MatchString(variableName) {
		t.bad(key, t.name(key)+" is not the name of an environment variable",
			fmt.Sprintf("give the variable's name, such as STARPOST_IMAP_%s, not the %s itself", strings.ToUpper(what), strings.ReplaceAll(what, "_", " ")))
		variableName = ""
	}
	return file, variableName
}

// oauth reads the oauth section; nil if there is none.
func (t *table) oauth(dir string) *OAuth {
	s := t.sub("oauth", false)
	if s == nil {
		return nil
	}
	o := &OAuth{
		TokenURL: s.needed("token_url", "give the provider's token URL, for example \"https://login.example.com/token\""),
		ClientID: s.needed("client_id", "register the program with the provider to get one"),
		Scopes:   s.list("scopes"),
	}
	o.ClientSecretFile, o.ClientSecretEnv = s.held("client_secret", dir)
	o.RefreshTokenFile, o.RefreshTokenEnv = s.held("refresh_token", dir)
	if u, err := url.Parse(o.TokenURL); o.TokenURL != "" && (err != nil || u.Host == "" || u.User != nil ||
		u.Scheme != "https" && (u.Scheme != "http" || !transport.IsLoopback(u.Hostname()))) {
		s.bad("token_url", fmt.Sprintf("%s: %q is not an https:// URL", s.name("token_url"), o.TokenURL), "use https://, since secrets go there; http:// works only for this machine")
	}
	for _, what := range []string{"client_secret", "refresh_token"} {
		if s.values[what+"_file"] != nil && s.values[what+"_env"] != nil {
			s.bad(what+"_env", fmt.Sprintf("%s and %s are both given", s.name(what+"_file"), s.name(what+"_env")), "keep one of them")
		}
	}
	if o.ClientSecretFile+o.ClientSecretEnv+o.RefreshTokenFile+o.RefreshTokenEnv == "" && s.values["client_secret"] == nil && s.values["refresh_token"] == nil {
		s.problem(s.path, fmt.Sprintf("the section [%s] names no secret", t.section("oauth")), "add refresh_token_file or refresh_token_env, or client_secret_file or client_secret_env")
	}
	s.done()
	return o
}
