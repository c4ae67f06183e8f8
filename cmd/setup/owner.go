package setup

import (
	"os"
	"os/user"
	"path/filepath"
	"strconv"
)

// Owner returns the name of the user who owns a file, or else the nearest existing folder above it. It returns "" if
// that is the user running this program, or if the system does not say.
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

// userName returns a user's name, or the number if the system has no name for it.
func userName(uid int) string {
	id := strconv.Itoa(uid)
	if u, err := user.LookupId(id); err == nil {
		return u.Username
	}
	return "#" + id // as sudo -u accepts it
}

// runAs returns how to run the program as the owner, now or later, of the state directory: by sudo if that is not the
// user who typed the command.
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

// handOver gives a file written by root to the owner of a folder, who runs the daemon and must be able to read the
// file.
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
