package vault

import (
	"crypto/sha256"
	"encoding/hex"
	"hash/crc32"
	"strconv"
	"strings"
)

// Hash is the SHA-256 of data in hexadecimal, as manifests have it.
func Hash(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

// Fingerprint is what the manifest of a turn tells of a file: for what the
// game consists of (state, events, orders) its Hash, so that no one can exchange
// it unseen. Reports and mails are drawn from these and decide nothing. They are
// most of a turn's bytes, so of them the manifest has the length and a checksum,
// "crc32c 1c291ca3 5120", by which a lost, cut or altered file is found.
func Fingerprint(name string, data []byte) string {
	if !Drawn(name) {
		return Hash(data)
	}
	b := append(make([]byte, 0, 32), "crc32c "...)
	sum := crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)) // what processors compute; made once
	for shift := 28; shift >= 0; shift -= 4 {
		b = append(b, "0123456789abcdef"[sum>>shift&15])
	}
	return string(strconv.AppendInt(append(b, ' '), int64(len(data)), 10))
}

// Drawn tells the files of a turn that are drawn from the others, or to draw with: they
// decide nothing, and are for those whose they are.
func Drawn(name string) bool {
	return name == OutboxFile || name == ViewsFile || strings.HasPrefix(name, ReportsDir+"/") || strings.HasPrefix(name, OutboxDir+"/")
}
