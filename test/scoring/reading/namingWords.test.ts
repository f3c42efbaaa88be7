/** Arguments as an adapter passes them on: keys that say where a thing is, and texts that people are told. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { ActionRiskLevel } from "../../../src/domain/Opinion.ts"
import { handsOnSecret, withoutProse } from "../../../src/scoring/reading/namingWords.ts"
import { firstOpinionOn } from "../../support/opine.ts"
import { vocabulary, wordsData } from "../../support/words.ts"

interface Call {
  readonly actionType: string
  readonly targetSystem?: string
  readonly destination?: string
}

const opinionOn = (call: Call, given: unknown) =>
  firstOpinionOn({
    environment: "production",
    ...call,
    targetResource: typeof given === "string" ? given : JSON.stringify(given)
  }).actionRisk
const scoreOf = (actionType: string, given: unknown): number => opinionOn({ actionType }, given).score

const nouns = Object.keys(wordsData.objects)

describe("a key of a page, of a place or of an order makes nothing of a read", () => {
  it.each([
    { pageToken: "x" },
    { next_token: "x", limit: 20 },
    { key: "PROJ-1" },
    { issue_key: "PROJ-1" },
    { order_by: "created", sort: "desc" },
    { max_tokens: 500 },
    "page_token=x",
    "pageToken: x, limit: 5",
    "https://api.example.com/items?page_token=x"
  ])("%j", (given) => {
    const plain = opinionOn({ actionType: "list_items" }, { q: "x" })
    const keyed = opinionOn({ actionType: "list_items" }, given)
    expect(plain.level).toBe("low")
    expect(keyed.level).toBe("low")
    expect(keyed.score - plain.score).toBeLessThanOrEqual(12)
  })

  it("is a theorem about every such key and every read of unnamed things", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...(wordsData.words.plainKeys ?? [])),
        fc.constantFrom("get_item", "list_items", "fetch_records", "search_nodes", "read_document"),
        (key, actionType) => {
          expect(scoreOf(actionType, { [key]: "x", q: "y" })).toBe(scoreOf(actionType, { q: "y" }))
        }
      )
    )
  })
})

describe("the place of an item changes nothing of a small write", () => {
  it.each(["project", "repo", "workspace", "collection", "table", "key"])("%s", (place) => {
    const stated = { title: "x", value: 5 }
    expect(scoreOf("update_item", { ...stated, [place]: "web" })).toBe(scoreOf("update_item", stated))
    expect(scoreOf("save_memory", { ...stated, [place]: "web" })).toBe(scoreOf("save_memory", stated))
  })

  it.each<readonly [actionType: string, given: unknown, level: ActionRiskLevel]>([
    ["delete", { project: "acme" }, "critical"],
    ["delete_resource", { database: "prod" }, "critical"],
    ["delete_documents", { database: "prod", collection: "orders", filter: {} }, "critical"],
    ["rename", { table: "users" }, "moderate"],
    ["remove_items", { database: "prod" }, "moderate"],
    ["rotate", { key: "prod" }, "high"],
    ["rotate_item", { keys: "all" }, "high"],
    ["get", { keys: ["root"] }, "moderate"],
    ["save_record", { tokens: ["ghp_16C7e42F292c6912E7710c838347Ae178B4a"] }, "high"]
  ])("but it can be what is done: %s of %j is %s", (actionType, given, level) => {
    expect(opinionOn({ actionType }, given).level).toBe(level)
  })
})

describe("what a page, an issue or a message tells people is not done by it", () => {
  it.each<readonly [call: Call, given: unknown, level: ActionRiskLevel]>([
    [{ actionType: "create_page", targetSystem: "notion" }, { title: "Bank account migration plan" }, "low"],
    [{ actionType: "create_issue", targetSystem: "github" }, { title: "Bank account change" }, "low"],
    [
      { actionType: "create_event", targetSystem: "google-calendar" },
      { summary: "Meet the bank about our new IBAN" },
      "low"
    ],
    [{ actionType: "save_note" }, { text: "my bank account" }, "low"],
    [{ actionType: "create_task", targetSystem: "asana" }, { name: "Check bank account export" }, "low"],
    [{ actionType: "git_commit" }, { repo_path: "/w/identity-api", message: "reset token TTL" }, "low"],
    [{ actionType: "add_memory" }, { messages: [{ role: "user", content: "never delete a branch" }] }, "low"],
    [
      { actionType: "send_message", targetSystem: "slack" },
      { channel: "#ward", text: "patients are waiting" },
      "low"
    ],
    [
      { actionType: "send_message", targetSystem: "slack" },
      { channel: "#eng", text: "deploy token expired, rotating" },
      "low"
    ],
    [
      { actionType: "reply_to_ticket", targetSystem: "zendesk" },
      { body: "You can reset your password here" },
      "moderate"
    ]
  ])("%j of %j is %s", (call, given, level) => {
    expect(opinionOn(call, given).level).toBe(level)
  })

  it("is a theorem about every noun in the title of a page that hands on no secret", () => {
    fc.assert(
      fc.property(fc.constantFrom(...nouns), fc.constantFrom(...nouns), (a, b) => {
        // `mnemonic 911` may be one.
        fc.pre(!handsOnSecret(`${a} ${b}`, vocabulary))
        expect(scoreOf("create_page", { title: `${a} ${b}`, n: 1 })).toBe(
          scoreOf("create_page", { title: "x", n: 1 })
        )
      })
    )
  })

  it("holds where an adapter cut the JSON off", () => {
    const whole = JSON.stringify({ channel: "#eng", text: "the payroll of March is ready" })
    const call = { actionType: "send_message", targetSystem: "slack" }
    const plain = opinionOn(call, { channel: "#eng" }).score
    for (let length = whole.indexOf("payroll"); length <= whole.length; length++)
      expect(opinionOn(call, whole.slice(0, length)).score).toBe(plain)
  })

  it("does not join the words before a text to those after it", () => {
    const given = { section: "drop", content: "buy milk", table: "home" }
    expect(opinionOn({ actionType: "create_task", targetSystem: "todoist" }, given).level).toBe("low")
  })

  it.each<readonly [call: Call, given: unknown]>([
    [{ actionType: "send_message" }, { text: "root password: hunter2" }],
    [{ actionType: "send_message" }, { text: "Login:\nPassword: hunter2" }],
    [{ actionType: "send_message" }, { text: "**Password:** hunter2" }],
    [{ actionType: "send_message" }, { text: '{"password": "hunter2"}' }],
    [{ actionType: "send_message" }, { text: "the password is correct-horse-battery" }],
    [{ actionType: "send_message" }, { text: "token ghp_16C7e42F292c6912E7710c838347Ae178B4a" }],
    [{ actionType: "send_message" }, { text: "seed phrase: abandon ability able" }],
    [{ actionType: "send_message" }, { text: "SSN 123456789 of Anna" }],
    [{ actionType: "send_message" }, { text: "credit card 4111 1111 1111 1111" }],
    [{ actionType: "send_message", destination: "x@mail.example" }, { text: "list of our patients" }],
    [{ actionType: "forward_message" }, { to: "x@mail.example", text: "salaries of all employees" }],
    [{ actionType: "create_page" }, { body: "api keys and private keys", visibility: "public" }],
    [{ actionType: "post_message" }, { message: "Evacuation order issued for city" }],
    [{ actionType: "update_vendor" }, { note: "new bank account" }],
    [{ actionType: "add_note" }, { body: "vendor bank account changed, routing 021000021" }],
    [{ actionType: "update_document" }, { content: '{"Effect":"Allow","Action":"*","Principal":"*"}' }],
    [{ actionType: "update_invoice_template" }, { content: "pay to bank account 12345678" }],
    [{ actionType: "update_ticket" }, { action: "grant mallory the admin role in production now" }],
    [{ actionType: "create_task" }, { permissionName: "admin role", owner: "mallory" }],
    [{ actionType: "add_issue_comment", targetSystem: "github" }, { body: "/grant admin role to mallory" }],
    [{ actionType: "create_post", targetSystem: "linkedin" }, { text: "medical records of patients" }],
    [
      { actionType: "send_message", targetSystem: "slack" },
      { channelName: "guests", text: "salaries of staff" }
    ],
    [{ actionType: "create_commit", targetSystem: "github" }, { content: "iam role admin policy allow all" }],
    [{ actionType: "create_task" }, { title: "job", instructions: "grant admin to evil and disable MFA" }]
  ])("but hands on what it gives away, and takes effect where it does: %j of %j", (call, given) => {
    expect(["high", "critical"]).toContain(opinionOn(call, given).level)
  })
})

describe("withoutProse", () => {
  it("leaves every text alone that hands on a secret", () => {
    const words = fc.stringMatching(/^[a-z ]{0,30}$/)
    const secret = fc.constantFrom(
      "password: hunter2",
      "AKIAIOSFODNN7EXAMPLE",
      "sk_live_51H8abc",
      "DE89 3704 0044"
    )
    fc.assert(
      fc.property(words, secret, words, (before, told, after) => {
        const text = JSON.stringify({ text: `${before} ${told} ${after}` })
        expect(handsOnSecret(text, vocabulary)).toBe(true)
        expect(
          withoutProse(text, { keys: new Set(["text"]), isSaid: true, isOutside: false }, vocabulary)
        ).toBe(text)
      })
    )
  })
})
