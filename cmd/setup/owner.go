package setup

import (
	"os"
	"os/user"
	"path/filepath"
	"strconv"
)

// Owner is the name of the user to whom a file belongs, or the nearest folder above it that is there, where that is another
// user than the one who runs this program; "" where it is the same, or the system does not tell.
func Owner(path string) (name string, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	for err != nil && path != filepath.Dir(path) {
		path = filepath.Dir(path)
		info, err = os.Stat(path)
	}
	if err != nil {
		return "", err
	}
	uid, ok := ownerOf(info)
	if !ok || uid == os.Geteuid() {
		return "", nil
	}
	return userName(uid), nil
}

// userName is what a user is called, or his number where the system has no name for it.
func userName(uid int) string {
	id := strconv.Itoa(uid)
	if u, err := user.LookupId(id); err == nil {
		return u.Username
	}
	return "#" + id // as sudo -u takes it
}

// runAs is how the program is run as the user to whom the state directory belongs, or will belong: by sudo where that is
// another one than who typed the command.
func runAs(state string) (string, error) {
	name, err := Owner(state)
	if err != nil {
		return "", err
	}
	if by := os.Getenv("SUDO_USER"); name == "" && by != "" {
		if name = userName(os.Geteuid()); name == by {
			name = ""
		}
	}
	switch name {
	case "":
		return "starpost", nil
	case "root":
		return "sudo starpost", nil
	}
	return "sudo -u " + name + " starpost", nil
}

// handOver gives a file that root writes to the owner of a folder, who runs the daemon and must be able to read it.
func handOver(f *os.File, dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	uid, ok := ownerOf(info)
	if !ok || os.Geteuid() != 0 || uid == 0 {
		return nil
	}
	return f.Chown(uid, -1)
}
