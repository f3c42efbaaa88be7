// Package webhook verifies a delivery with the standard library alone. To copy into your receiver.
package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// How far a delivery's clock and yours may be apart; an older delivery may be a replay by an attacker.
const tolerance = 5 * time.Minute

// Verify returns nil where the delivery was signed with secret within the last five minutes.
//
// body is what arrived, byte for byte (io.ReadAll of the request's body), and is parsed only afterwards.
func Verify(secret string, headers http.Header, body []byte) error {
	id := headers.Get("webhook-id")
	timestamp := headers.Get("webhook-timestamp")
	signatures := headers.Get("webhook-signature")
	if id == "" || timestamp == "" || signatures == "" {
		return errors.New("a header is missing")
	}
	seconds, err := strconv.ParseUint(timestamp, 10, 62)
	if err != nil {
		return errors.New("webhook-timestamp is no number of seconds")
	}
	if apart := time.Since(time.Unix(int64(seconds), 0)); apart > tolerance || apart < -tolerance {
		return errors.New("webhook-timestamp is more than five minutes away")
	}

	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) == 0 {
		return errors.New("the secret is not what it was shown as")
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	// Two while a secret is rotated, with a space between them: one that fits is enough.
	for _, given := range strings.Split(signatures, " ") {
		if hmac.Equal([]byte(given), expected) {
			return nil
		}
	}
	return errors.New("no signature fits")
}
