/** The same destination has one key, however it is spelled. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { destinationKey } from "../../src/scoring/HistoryRecord.ts"

describe("the key of a destination", () => {
  it.each([
    ["Alice@Example.com", "alice@example.com"],
    ["  alice@example.com ", "alice@example.com"],
    ["mailto:alice@example.com", "alice@example.com"],
    ["mailto:alice@example.com?subject=hello", "alice@example.com?subject=hello"],
    ["mailto:bob@x.com?bcc=evil@e.com", "bob@x.com?bcc=evil@e.com"],
    ["https://api.partner.com/upload", "api.partner.com/upload"],
    ["HTTPS://API.Partner.com/Upload", "api.partner.com/upload"],
    ["https://api.partner.com/upload?token=1#top", "api.partner.com/upload"],
    ["https://api.partner.com:443/upload", "api.partner.com/upload"],
    ["https://api.partner.com:8443/upload", "api.partner.com:8443/upload"],
    ["https://user:secret@api.partner.com/upload", "api.partner.com/upload"],
    ["https://good.com@evil.com/", "evil.com"],
    ["https://good.com\\@evil.com/", "good.com/@evil.com"],
    ["https://api.partner.com/", "api.partner.com"],
    ["https://api.partner.com.", "api.partner.com"],
    ["s3://acme-exports/2026", "acme-exports/2026"],
    ["ｈｔｔｐｓ：／／api．partner．com", "api.partner.com"],
    ["DE89 3704 0044 0532 0130 00", "de89 3704 0044 0532 0130 00"],
    ["https://", "https://"],
    ["#general", "#general"],
    ["", ""]
  ])("of %j is %j", (destination, key) => {
    expect(destinationKey(destination)).toBe(key)
  })

  it("does not take what merely contains a URL for one", () => {
    expect(destinationKey("proxy/https://evil.com")).toBe("proxy/https://evil.com")
  })

  it("is the same in upper case and between blanks, and is found for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii", maxLength: 240 }), (destination) => {
        expect(destinationKey(` ${destination.toUpperCase()} `)).toBe(destinationKey(destination))
      })
    )
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 240 }), (destination) => {
        expect(typeof destinationKey(destination)).toBe("string")
      })
    )
  })
})
