/** The same destination has one key, however it is spelled; the 24 h sums have pools, and a maximum that one request adds. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Action } from "../../src/domain/Action.ts"
import { snapshotOf } from "../../src/rules/cases/Situation.ts"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { loadPolicySet } from "../../src/rules/policies/loadPolicySet.ts"
import { destinationSummedUnder, historyRecord } from "../../src/scoring/HistoryRecord.ts"
import { score } from "../../src/scoring/score.ts"
import type { JsonObject } from "../../src/json/json.ts"
import { propertyRuns, seed } from "../support/depth.ts"
import { model } from "../support/draft.ts"
import { placeKey } from "../../src/scoring/names/placeKey.ts"

describe("the key of a place", () => {
  const keyOf = (destination: string) => placeKey(destination, new Set(["ref"]))

  it.each([
    ["https://shop.example/pay?to=bob@evil.example&ref=1", "shop.example/pay?to=bob@evil.example"],
    ["https://shop.example／pay？to=bob@evil.example", "https://shop.example／pay？to=bob@evil.example"],
    ["shop.example/pay＃@evil.example", "shop.example/pay＃@evil.example"],
    ["https：//shop.example/pay", "https：//shop.example/pay"],
    ["https://shop．example/Pay", "shop.example/Pay"],
    ["Payroll： June", "payroll: june"],
    ["mailto:bob@x.example?bcc=evil@e.example", "bob@x.example?bcc=evil@e.example"],
    ["proxy/https://evil.example", "proxy/https://evil.example"],
    ["https://good.example@evil.example/", "good.example@evil.example"],
    ["https://?to=evil", "https://?to=evil"],
    ["#general", "#general"],
    ["", ""]
  ])("of %j is %j", (destination, key) => {
    expect(keyOf(destination)).toBe(key)
  })

  const pieces = [
    "shop.example",
    "evil.example",
    "@",
    "/",
    "\\",
    "?",
    "#",
    ":",
    "443",
    "%2f",
    "to=",
    "ref=1",
    "pay",
    ".",
    ";",
    "&"
  ]
  /** Characters that NFKC or a reader treats as URL punctuation. */
  const alike: Readonly<Record<string, string>> = {
    "/": "／",
    "?": "？",
    "#": "＃",
    "@": "＠",
    ":": "：",
    "\\": "＼",
    ".": "．",
    "&": "＆"
  }
  const spelled = fc.array(fc.tuple(fc.constantFrom(...pieces), fc.boolean()), { maxLength: 8 })
  const written = (parts: ReadonlyArray<readonly [string, boolean]>) =>
    `https://shop.example${parts.map(([piece, disguised]) => (disguised ? (alike[piece] ?? piece) : piece)).join("")}`
  const hostOf = (destination: string): string | undefined =>
    URL.canParse(destination) ? new URL(destination).hostname.replace(/\.$/, "") : undefined

  it("is that of no other host that a client would ask, whatever signs only look like those of a URL", () => {
    fc.assert(
      fc.property(spelled, fc.array(fc.boolean(), { maxLength: 8 }), (parts, disguises) => {
        const plain = written(parts.map(([piece]) => [piece, false]))
        const other = written(parts.map(([piece], i) => [piece, disguises[i] ?? false]))
        fc.pre(keyOf(plain) === keyOf(other))
        const [one, two] = [hostOf(plain), hostOf(other)]
        fc.pre(one !== undefined && two !== undefined)
        expect(two).toBe(one)
      }),
      { seed, numRuns: propertyRuns }
    )
  })
})

const payment: Action = {
  actionType: "stripe.refunds.create",
  environment: "production",
  targetSystem: "stripe",
  financialValue: 20,
  currency: "USD",
  entitiesAffected: 1
}

const recordOf = (fields: Partial<Action> = {}) => historyRecord({ ...payment, ...fields }, model)

describe("the 24 h sums count an action", () => {
  it("under its agent, or under its target system where it names no agent, however either is spelled", () => {
    expect(recordOf({ agentId: "a " }).summedUnder).toBe("a")
    const { summedUnder } = recordOf()
    expect(recordOf({ targetSystem: " Stri\u200bpe" }).summedUnder).toBe(summedUnder)
    expect(recordOf({ targetSystem: "salesforce" }).summedUnder).not.toBe(summedUnder)
    expect(recordOf({ targetSystem: " " }).summedUnder).toBe("")
    const { targetSystem: _, ...neither } = payment
    expect(historyRecord(neither, model).summedUnder).toBe("")
  })

  it("under its destination as a reader sees it, which history takes for ever other places", () => {
    const spellings = [
      "ACME Supplies, Köln",
      "acme supplies koln",
      "Acme-Supplies (Köln)",
      "ACME\u200bSupplies K\u00f6ln",
      "\u0410\u0421\u041c\u0415 Supplies Koln",
      "ACME Supp1ies Ko\u0308ln"
    ]
    const records = spellings.map((destination) => recordOf({ destination }))
    expect(new Set(records.map((record) => record.destinationKey)).size).toBe(6)
    expect(new Set(records.map((record) => record.destinationSummedUnder)).size).toBe(1)
    const iban = ["DE89 3704 0044 0532 0130 00", "de89370400440532013000"]
    expect(new Set(iban.map((destination) => recordOf({ destination }).destinationSummedUnder)).size).toBe(1)
    expect(recordOf().destinationSummedUnder).toBeNull()
  })

  it.each([
    ["spaces and dashes in another script", "ромашка", "ро-машка", "р о м а ш к а", "ро\u{1d173}машка"],
    ["another form of a letter at the end of a word", "ΟΔΟΣ ΑΒΔ", "ΟΔΟΣΑΒΔ", "οδοσαβδ"],
    ["a stretched line, or a letter like an apostrophe", "محمد", "محـمد", "م\u02bcحمد"],
    ["no letter at all", "\u{1f4b0}", "\u{1f4b0}\u200b"]
  ])("under one name with %s", (_, ...spellings) => {
    expect(new Set(spellings.map(destinationSummedUnder)).size).toBe(1)
  })

  it.each([
    [
      "another word or number",
      "ACME Kassel",
      "ACME Köln",
      "DE89 3704 0044",
      "DE89 3704 0045",
      "日本",
      "#",
      "?"
    ],
    ["other vowels", "राम", "रोमा", "รา", "รี"],
    ["voiced letters", "バス", "ハス", "パス"]
  ])("under other names with %s", (_, ...payees) => {
    expect(new Set(payees.map(destinationSummedUnder)).size).toBe(payees.length)
  })

  it("under no other destination's name than its own: what a reader sees of that name is the name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (destination) => {
        const name = destinationSummedUnder(destination)
        expect(destinationSummedUnder(name)).toBe(name)
      })
    )
  })

  it("never under the name of a pool because an agent has that name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 20 }), (name) => {
        const pool = recordOf({ targetSystem: name }).summedUnder
        fc.pre(pool !== "")
        for (const agentId of [name, pool]) expect(recordOf({ agentId }).summedUnder).not.toBe(pool)
      })
    )
  })

  it("with what brings a sum to its highest step, and with no more", () => {
    const { entities, usd } = model.numbers.cumulativeSteps
    const [entitiesMost, usdMost] = [Math.max(...entities), Math.max(...usd)]
    const most = { scoredEntities: entitiesMost, scoredUsdCents: usdMost * 100 }
    expect(
      recordOf({ agentId: "billing", financialValue: usdMost, entitiesAffected: entitiesMost })
    ).toMatchObject(most)
    expect(
      recordOf({ agentId: "billing", financialValue: 1e308, entitiesAffected: Number.MAX_SAFE_INTEGER })
    ).toMatchObject(most)
    expect(recordOf({ agentId: "billing", financialValue: 1e308 }).statedUsdCents).toBeGreaterThan(
      usdMost * 100
    )
    expect(recordOf({ agentId: "billing", financialValue: usdMost - 1 }).scoredUsdCents).toBe(
      (usdMost - 1) * 100
    )
  })
})

it("harmless actions add nothing to the sums of the last day", () => {
  const large = { environment: "production", entitiesAffected: 90_000, financialValue: 90_000 } as const
  for (const actionType of ["think", "list_pods"]) {
    const { scoredEntities, scoredUsdCents } = historyRecord({ actionType, ...large }, model)
    expect([actionType, scoredEntities, scoredUsdCents]).toEqual([actionType, 0, 0])
  }
})

describe("one question with an absurd amount and without an agent", () => {
  const { policySet } = loadPolicySet(packageRoot, "none")
  const codesOf = (request: Action, before: Action) => {
    const history = {
      now: "2026-11-16T12:00:00Z",
      earlier: [{ at: "2026-11-16T11:30:00Z", request: before }]
    }
    return score(request, snapshotOf({ request, history }, model), model, policySet).riskFactors.map(
      ({ code }) => code
    )
  }
  const absurd = { ...payment, financialValue: 1e308 }

  it("does not affect callers that name another system, or themselves", () => {
    const code = "CUMULATIVE_FINANCIAL_VALUE"
    expect(codesOf({ ...payment, targetSystem: "adyen" }, absurd)).not.toContain(code)
    expect(codesOf({ ...payment, agentId: "billing" }, absurd)).not.toContain(code)
    expect(codesOf({ ...payment, targetResource: "part 2" }, absurd)).toContain(code)
  })
})

describe("the arguments of a tool are remembered", () => {
  const refund = (given: JsonObject, fields: Partial<Action> = {}) =>
    historyRecord(
      {
        environment: "production",
        ...fields,
        actionType: "mcp__stripe__create_refund",
        metadata: { tool_call: { name: "create_refund", arguments: { charge: "ch_1", ...given } } }
      },
      model
    )

  it("like what fields say: amount, payee and sums", () => {
    const { canonicalForm: _, ...told } = refund({
      amount: 90_000,
      currency: "usd",
      email: "eve@evil.example"
    })
    const { canonicalForm: __, ...stated } = refund(
      {},
      { financialValue: 900, currency: "USD", destination: "eve@evil.example" }
    )
    expect(told).toEqual(stated)
    expect([told.statedUsdCents, told.scoredUsdCents]).toEqual([90_000, 90_000])
  })

  it("so that calls that differ in one argument are two, and one that is sent again is one", () => {
    const form = (charge: string) => refund({ charge, amount: 5 }).canonicalForm
    expect(form("ch_1")).not.toBe(form("ch_2"))
    expect(form("ch_1")).toBe(form("ch_1"))
  })
})
