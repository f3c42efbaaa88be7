/** Which URLs a webhook may have. Those that try to lead inside are in test/hostile/webhooks. */

import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { webhookUrlMax } from "../../../src/limits.ts"
import { checkUrl } from "../../../src/webhooks/egress/checkUrl.ts"

const href = (text: string, allowInsecure: "loopback" | null = null) =>
  Result.getOrNull(checkUrl(text, { allowInsecure }))?.href

const problem = (text: string, allowInsecure: "loopback" | null = null) =>
  Result.getOrNull(Result.flip(checkUrl(text, { allowInsecure })))

const urlOfLength = (length: number) => {
  const start = "https://hooks.example.com/"
  return start + "a".repeat(length - start.length)
}

describe("checkUrl", () => {
  it.each([
    ["https://hooks.example.com/risk", "https://hooks.example.com/risk"],
    ["https://hooks.example.com", "https://hooks.example.com/"],
    ["HTTPS://Hooks.Example.COM/Risk?a=1&b=%20", "https://hooks.example.com/Risk?a=1&b=%20"],
    ["https://hooks.example.com:443/risk", "https://hooks.example.com/risk"],
    ["https://hooks.example.com:8443/risk", "https://hooks.example.com:8443/risk"],
    ["https://bücher.example/", "https://xn--bcher-kva.example/"],
    ["https://_dmarc.a-b.example.co.uk/", "https://_dmarc.a-b.example.co.uk/"],
    ["https://8.8.8.8/", "https://8.8.8.8/"],
    ["https://[2606:4700:4700::1111]:8443/x", "https://[2606:4700:4700::1111]:8443/x"],
    ["https://[::ffff:8.8.8.8]/", "https://[::ffff:808:808]/"],
    ["https://localhost.example.com/", "https://localhost.example.com/"],
    ["https://hooks.example.com/a@b?user=c@d", "https://hooks.example.com/a@b?user=c@d"]
  ])("accepts %s", (text, expected) => {
    expect(href(text)).toBe(expected)
  })

  it.each([
    ["hooks.example.com/risk", "must be a URL that starts with https:// and a host"],
    ["https:hooks.example.com", "must be a URL that starts with https:// and a host"],
    ["https:///hooks.example.com", "must be a URL that starts with https:// and a host"],
    ["ftp://hooks.example.com", "must be a URL that starts with https:// and a host"],
    ["http://hooks.example.com/", "must start with https://"],
    ["https://hooks.example.com:444/", "must use port 443 or 8443"],
    ["https://hooks.example.com:80/", "must use port 443 or 8443"],
    ["https://hooks.example.com:99999/", "must be a URL with a valid host and port"],
    ["https://hooks.example.com/#part", "must not contain a fragment"],
    ["https://hooks.example.com/#", "must not contain a fragment"],
    ["https://ann@hooks.example.com/", "must not contain a user name or a password"],
    ["https://ann:secret@hooks.example.com/", "must not contain a user name or a password"],
    ["https://@hooks.example.com/", "must not contain a user name or a password"],
    ["https://hooks.example.com/a b", "must not contain spaces, control characters or backslashes"],
    [
      "https://hooks.example.com/\r\nX-Injected: 1",
      "must not contain spaces, control characters or backslashes"
    ],
    ["https://hooks.example\t.com/", "must not contain spaces, control characters or backslashes"],
    ["https:\\\\hooks.example.com\\", "must not contain spaces, control characters or backslashes"],
    ["https://hooks", "must name a host on the public internet"],
    ["https://10.1.2.3/", "must not lead to an address outside the public internet"]
  ])("says what is wrong with %j", (text, expected) => {
    expect(problem(text)).toBe(expected)
  })

  it("accepts a URL of the greatest length and refuses a longer one, as text and as it is requested", () => {
    expect(href(urlOfLength(webhookUrlMax))).toHaveLength(webhookUrlMax)
    expect(problem(urlOfLength(webhookUrlMax + 1))).toBe("must have at most 2,048 characters")
    expect(problem(`https://hooks.example.com/${"ü".repeat(400)}`)).toBe("must have at most 2,048 characters")
  })

  it.each([
    "http://127.0.0.1:4000/hook",
    "http://127.8.8.8/",
    "http://[::1]:4000/",
    "http://localhost:4000/",
    "http://LOCALHOST/",
    "http://[::ffff:127.0.0.1]:4000/"
  ])("accepts %s where this machine is permitted, and nowhere else", (text) => {
    expect(href(text, "loopback")).toBeDefined()
    expect(problem(text)).not.toBeNull()
  })

  it.each(["https://localhost/", "https://127.0.0.1:8443/", "https://[::1]/", "https://localhost:4000/"])(
    "refuses %s even where this machine is permitted, which holds only for http",
    (text) => {
      expect(problem(text, "loopback")).toBe("must start with http:// where it leads to this machine")
    }
  )

  it.each([
    "http://hooks.example.com/",
    "http://10.0.0.1/",
    "https://10.0.0.1/",
    "http://0.0.0.0:4000/",
    "http://[::]:4000/",
    "http://169.254.169.254/",
    "http://a.localhost:4000/",
    "http://localhost.:4000/",
    "https://hooks.example.com:4000/",
    "http://ann@localhost:4000/",
    "http://localhost:4000/#x",
    "http://8.8.8.8/"
  ])("refuses %s also where this machine is permitted", (text) => {
    expect(problem(text, "loopback")).not.toBeNull()
  })

  it("repeats nothing of a refused text", () => {
    for (const text of [
      "https://canary@x.example/",
      "https://canary.internal/",
      "canary",
      "https://x/#canary"
    ])
      expect(problem(text)).not.toContain("canary")
  })
})
