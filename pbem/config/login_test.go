package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"starpost/pbem/transport"
)

// byToken is small with a different login.
func byToken(lines string) string {
	return strings.Replace(small, "password_env = \"IMAP\"\n", lines, 1)
}

func TestTokens(t *testing.T) {
	const oauth = `auth = "oauthbearer"
[imap.oauth]
token_url = "https://login.example.org/token"
client_id = "id"
client_secret_env = "CLIENT"
refresh_token_file = "refresh"
scopes = ["https://mail.example.org/", "offline_access"]
`
	for name, lines := range map[string]string{
		"command": "auth = \"xoauth2\"\ntoken_command = [\"bin/get\", \"battles\", \"a b\"]\n",
		"file":    "auth = \"xoauth2\"\ntoken_file = \"tok\"\n",
		"env":     "auth = \"oauthbearer\"\ntoken_env = \"TOK\"\n",
		"oauth":   oauth,
		"machine": "auth = \"xoauth2\"\noauth = { token_url = \"http://127.0.0.1:8080/token\", client_id = \"id\", client_secret_file = \"tok\" }\n",
	} {
		t.Run(name, func(t *testing.T) {
			dir := write(t, map[string]string{"x.toml": byToken(lines), "tok": "s3cr3t-file\n", "refresh": "s3cr3t-refresh\n"})
			c, err := loadWith(filepath.Join(dir, "x.toml"), envOf(map[string]string{"TOK": "s3cr3t-env", "CLIENT": "s3cr3t-client"}))
			if err != nil {
				t.Fatal(err)
			}
			s := c.IMAP.Server
			var got, want string
			switch name {
			case "command":
				got, want = fmt.Sprintf("%q", s.TokenCommand), fmt.Sprintf("%q", []string{filepath.Join(dir, "bin/get"), "battles", "a b"})
			case "file":
				got, want = s.TokenFile, filepath.Join(dir, "tok")
			case "env":
				got, want = s.Token.Reveal()+s.Auth, "s3cr3t-env"+transport.OAuthBearer
			case "oauth":
				got, want = s.OAuth.ClientSecret.Reveal()+s.OAuth.RefreshToken.Reveal()+fmt.Sprint(s.OAuth.Scopes), "s3cr3t-clients3cr3t-refresh[https://mail.example.org/ offline_access]"
			case "machine":
				got, want = s.OAuth.ClientSecret.Reveal(), "s3cr3t-file"
			}
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			text := c.Effective()
			if strings.Contains(text, "s3cr3t") || strings.Contains(fmt.Sprintf("%+v %#v", c.IMAP, c.IMAP.OAuth), "s3cr3t") {
				t.Error("a secret is shown")
			}
			again, err := Parse("x.toml", []byte(text), "/")
			if err != nil || again.Effective() != text {
				t.Errorf("what is in force reads as %v\n%s", err, text)
			}
		})
	}
}

func TestLoginProblems(t *testing.T) {
	const oauth = "auth = \"xoauth2\"\n[imap.oauth]\ntoken_url = \"https://x.example/\"\nclient_id = \"id\"\n"
	for name, c := range map[string]struct{ text, want string }{
		"unknown auth":         {byToken("auth = \"xoauth\"\npassword_env = \"X\"\n"), `7:1: imap.auth is "xoauth"; did you mean "xoauth2"?`},
		"no token":             {byToken("auth = \"xoauth2\"\n"), `7:1: no token is given for imap.user; add token_command, token_file, token_env or a section [imap.oauth]`},
		"token, no auth":       {byToken("token_file = \"x\"\n"), `7:1: imap.token_file is given, but the login is by password; add auth = "xoauth2"`},
		"password and auth":    {byToken("auth = \"xoauth2\"\npassword_env = \"X\"\n"), `8:1: imap.password_env is given, but the login is by token; remove it`},
		"two tokens":           {byToken("auth = \"xoauth2\"\ntoken_file = \"x\"\ntoken_command = [\"y\"]\n"), `8:1: imap.token_command and imap.token_file are both given; keep one`},
		"token and oauth":      {byToken("token_file = \"x\"\n" + oauth + "client_secret_env = \"X\"\n"), `9:1: imap.token_file and imap.oauth are both given`},
		"token in the text":    {byToken("auth = \"xoauth2\"\ntoken = \"x\"\ntoken_file = \"x\"\n"), `8:1: a token must not be in the configuration; put it into a separate file (mode 0600) and set token_file`},
		"secret in the text":   {byToken(oauth + "client_secret = \"x\"\n"), `11:1: a client secret must not be in the configuration; put it into a separate file (mode 0600) and set client_secret_file`},
		"refresh in the text":  {byToken(oauth + "refresh_token = \"x\"\n"), `11:1: a refresh token must not be in the configuration`},
		"token for a variable": {byToken("auth = \"xoauth2\"\ntoken_env = \"ya29.x\"\n"), `8:1: imap.token_env is not the name of an environment variable; give the variable's name, such as STARPOST_IMAP_TOKEN, not the token`},
		"no user":              {small + "auth = \"xoauth2\"\ntoken_file = \"x\"\n", `8:1: a login method is given, but no smtp.user; add user`},
		"no secret":            {byToken(oauth), `8:1: the section [imap.oauth] names no secret; add refresh_token_file`},
		"two secrets":          {byToken(oauth + "client_secret_env = \"X\"\nclient_secret_file = \"y\"\n"), `11:1: imap.oauth.client_secret_file and imap.oauth.client_secret_env are both given`},
		"plain address":        {byToken(strings.Replace(oauth, "https", "http", 1) + "client_secret_env = \"X\"\n"), `9:1: imap.oauth.token_url: "http://x.example/" is not an https:// URL; use https`},
		"no address":           {byToken(strings.Replace(oauth, "https://x.example/", "x.example", 1) + "client_secret_env = \"X\"\n"), `9:1: imap.oauth.token_url: "x.example" is not`},
		"unknown key":          {byToken(oauth + "client_secret_env = \"X\"\nscope = [\"x\"]\n"), `12:1: unknown key "imap.oauth.scope"; did you mean "scopes"?`},
		"no client":            {byToken(strings.Replace(oauth, "client_id = \"id\"\n", "", 1) + "client_secret_env = \"X\"\n"), `8:1: imap.oauth.client_id is missing; register the program`},
		"command as a text":    {byToken("auth = \"xoauth2\"\ntoken_command = \"get x\"\n"), `8:1: imap.token_command must be a list; write token_command = ["get x"]`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("x.toml", []byte(c.text), "/")
			if err == nil || !strings.HasPrefix(err.Error(), "x.toml:"+c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("problems\n%v\nwant\n%s", err, c.want)
			}
		})
	}
}

func TestMissingTokenFilesAreReported(t *testing.T) {
	dir := write(t, map[string]string{"x.toml": byToken("auth = \"xoauth2\"\ntoken_file = \"tok\"\n")})
	path := filepath.Join(dir, "x.toml")
	if _, err := loadWith(path, noEnv); err == nil || !strings.Contains(err.Error(), "8:1: the token file cannot be read") {
		t.Errorf("error %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "tok"), []byte("s3cr3t"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "tok"), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := loadWith(path, noEnv)
	if err != nil || len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "chmod 600") {
		t.Errorf("%v, warnings %q", err, c.Warnings)
	}
}
