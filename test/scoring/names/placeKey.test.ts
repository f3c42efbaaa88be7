/** Two different places never share a key, and text that names no place does not change a key. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { model } from "../../support/draft.ts"
import { historyRecord } from "../../../src/scoring/HistoryRecord.ts"

const keyOf = (destination: string): string | null =>
  historyRecord({ actionType: "export_report", environment: "production", destination }, model).destinationKey

describe("one place has one key", () => {
  it.each([
    ["Alice@Example.com", " alice@example.com"],
    ["mailto:alice@example.com", "alice@example.com"],
    ["https://API.Partner.com/upload/", "api.partner.com/upload"],
    ["https://api.partner.com:443/upload", "http://api.partner.com:80/upload"],
    ["https://api.partner.com./upload", "https://api.partner.com/upload"],
    ["https://hooks.example/x?page=2&utm_source=a&X-Amz-Signature=77", "https://hooks.example/x"],
    ["sftp://acme:one@files.example/in", "sftp://acme:two@files.example/in"],
    ["ACME Supplies Ltd", "acme supplies ltd"],
    ["DE89 3704 0044 0532 0130 00", "de89 3704 0044 0532 0130 00"],
    ["0x52908400098527886E0F7030069857D2E4169EE7", "0x52908400098527886e0f7030069857d2e4169ee7"]
  ])("%s and %s", (one, other) => {
    expect(keyOf(one)).toBe(keyOf(other))
  })
})

describe("two places have two keys", () => {
  it.each([
    ["https://pay.example/send?recipientId=7", "https://pay.example/send?recipientId=8"],
    ["https://pay.example/send?to_account=7", "https://pay.example/send?to_account=8"],
    ["https://pay.example/send?to[]=7", "https://pay.example/send?to[]=8"],
    ["https://exchange.example/deposit?memo=1037", "https://exchange.example/deposit?memo=1038"],
    ["https://chat.example/send?chat_id=7", "https://chat.example/send?chat_id=8"],
    ["https://sms.example/send?number=7", "https://sms.example/send?number=8"],
    ["https://robot.example/send?access_token=a1", "https://robot.example/send?access_token=b1"],
    ["https://relay.example/r?n=3232235777", "https://relay.example/r?n=3232235778"],
    ["https://relay.example/r?n=0xC0A80101", "https://relay.example/r?n=0xC0A80102"],
    ["https://relay.example/r?page=evil.example", "https://relay.example/r?page=1"],
    ["https://3232235777/x", "https://3232235778/x"],
    ["bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdp"],
    ["1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "1BvBMSEYstWetqTFn5Au4m4GFg7xjaNVN2"],
    ["acct_1NXWPnLkdIwHu7ix", "acct_1NXWPnLkdIwHu7iX"],
    ["sftp://acme@files.example/in", "sftp://other@files.example/in"],
    ["https://a@files.example/in", "https://b@files.example/in"],
    ["https://hooks.example/services/T0/AbC", "https://hooks.example/services/T0/aBc"],
    ["hooks.example/services/T0/AbC", "hooks.example/services/T0/aBc"],
    ["s3://acme/Exports", "s3://acme/exports"],
    ["https://app.example/#/room/7", "https://app.example/#/room/8"],
    ["https://files.example:8443/in", "https://files.example/in"],
    ["http://files.example:443/in", "http://files.example/in"],
    ["sftp://files.example:443/in", "sftp://files.example/in"]
  ])("%s and %s", (one, other) => {
    expect(keyOf(one)).not.toBe(keyOf(other))
  })

  const name = fc.stringMatching(/^[a-z]{1,8}$/)

  it("whatever the parameter is called that tells them apart, unless it is known to tell nothing", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,6}(?:_id|Id|\\[\\])$/), name, name, (parameter, one, other) => {
        fc.pre(one !== other)
        const url = (value: string) => `https://pay.example/send?a=1&${parameter}=${value}&page=2`
        expect(keyOf(url(one))).not.toBe(keyOf(url(other)))
      })
    )
  })

  it("and any text has a key, the same between blanks", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 240 }), (text) => {
        fc.pre(text.trim() !== "")
        expect(keyOf(` ${text} `)).toBe(keyOf(text))
      })
    )
  })
})
