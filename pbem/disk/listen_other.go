//go:build !linux

package disk

// Listener does not work on this system: files must be polled.
type Listener struct{}

// Listen returns ErrUnheard.
func Listen() (*Listener, error) { return nil, ErrUnheard }

// Add returns ErrUnheard.
func (*Listener) Add(string) (int32, error) { return 0, ErrUnheard }

// Remove does nothing.
func (*Listener) Remove(int32) error { return nil }

// Changes reports that changes may have been missed.
func (*Listener) Changes(func(id int32, name string)) (missed bool, err error) { return true, nil }

// Close does nothing.
func (*Listener) Close() error { return nil }
