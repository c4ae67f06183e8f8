package disk

import (
	"io/fs"
	"os"
)

// Facts are what tells a file from what it was, as far as the file system knows.
type Facts struct {
	Inode             uint64 // 0 where there is no such thing
	Size              int64
	Modified, Changed int64 // in nanoseconds; the second cannot be set back
}

// Looker asks for very many files below the directories of a few folders, one after the
// other. It is for one goroutine. The zero value is ready; Close it.
type Looker struct {
	root
	path []byte
}

// Same tells whether two looks at a file found the same one, unchanged: a file that another one
// replaced is not, even if it has its size and time.
func Same(a, b fs.FileInfo) bool {
	return a != nil && b != nil && os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
