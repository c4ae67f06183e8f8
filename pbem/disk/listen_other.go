//go:build !linux

package disk

// Listener hears nothing here: files are asked for.
type Listener struct{}

// Listen tells so.
func Listen() (*Listener, error) { return nil, ErrUnheard }

// Add listens to nothing.
func (*Listener) Add(string) (int32, error) { return 0, ErrUnheard }

// Remove has nothing to do.
func (*Listener) Remove(int32) error { return nil }

// Changes knows of none.
func (*Listener) Changes(func(id int32, name string)) (missed bool, err error) { return true, nil }

// Close does nothing.
func (*Listener) Close() error { return nil }
