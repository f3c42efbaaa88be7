// Asks examples/webhook-receiver/verify.go about each delivery on standard input: prints the event's id, or null.
package main

import (
	"encoding/json"
	"net/http"
	"os"

	"drive/webhook"
)

type delivery struct {
	Secret  string
	Headers map[string]string
	Body    []byte
}

func asked(one delivery) *string {
	headers := http.Header{}
	for name, value := range one.Headers {
		headers.Set(name, value)
	}
	if webhook.Verify(one.Secret, headers, one.Body) != nil {
		return nil
	}
	var event struct{ ID string }
	if json.Unmarshal(one.Body, &event) != nil {
		return nil
	}
	return &event.ID
}

func main() {
	var deliveries []delivery
	if err := json.NewDecoder(os.Stdin).Decode(&deliveries); err != nil {
		panic(err)
	}
	ids := []*string{}
	for _, one := range deliveries {
		ids = append(ids, asked(one))
	}
	if err := json.NewEncoder(os.Stdout).Encode(ids); err != nil {
		panic(err)
	}
}
