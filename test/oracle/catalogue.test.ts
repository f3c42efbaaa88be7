/** Real names: they are read as their files list them, and scored as the oracle scores what was read. */

import fc from "fast-check"
import { readdirSync, readFileSync } from "node:fs"
import { isDeepStrictEqual } from "node:util"
import { describe, expect, it } from "vitest"
import { type Action, type ActionClass, dataClassifications } from "../../src/domain/Action.ts"
import { behavior } from "../support/arbitrary/behavior.ts"
import { claimed } from "../support/arbitrary/call.ts"
import { oracleRuns, timeoutMs } from "../support/depth.ts"
import { model } from "../support/draft.ts"
import { opineAsked } from "../support/opine.ts"
import { extentOrder, impactOrder, type Words } from "./Question.ts"
import { comparable } from "./comparable.ts"
import { opinion } from "./opinion.ts"
import { readCall } from "../../src/scoring/reading/readCall.ts"

interface Entry {
  readonly class: ActionClass
  readonly impact?: Words["impact"]
  readonly extent?: Words["extent"]
  readonly holds?: Words["holds"]
  readonly anywhere?: boolean
  readonly credential?: boolean
  readonly weakens?: boolean
  readonly reversibility?: Words["reversibility"]
}

interface ProviderFile {
  readonly prefixes: ReadonlyArray<string>
  readonly actions: Readonly<Record<string, Entry>>
}

const folder = new URL("../../rules/lexicon/providers/", import.meta.url)

const listed = readdirSync(folder).flatMap((file) => {
  const { actions, prefixes } = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as ProviderFile
  const [targetSystem] = prefixes
  const provider = file.replace(".json", "")
  return Object.entries(actions).map(([actionType, entry]) => ({
    provider,
    entry,
    named: { actionType, ...(targetSystem === undefined ? {} : { targetSystem }) }
  }))
})

// Invariant: the oracle's words are a reading, and a reading has all that `Words` has.
const wordsOf = (action: Action): Words & { readonly provider: string | undefined } =>
  readCall(action, model.lexicon) as unknown as Words & { readonly provider: string | undefined }

const atLeast = <A>(order: ReadonlyArray<A>, read: A, own: A): boolean =>
  order.indexOf(read) >= order.indexOf(own)

/** Words of the provider's own name may raise a reading (`scada`, `fhir`), and never lower it. */
const readsAsListed = (
  words: Words,
  { anywhere, class: own, credential, weakens, ...entry }: Entry
): boolean =>
  (words.class === own || words.impact === "critical") &&
  atLeast(impactOrder, words.impact, entry.impact ?? "low") &&
  atLeast(extentOrder, words.extent, entry.extent ?? "single") &&
  atLeast(dataClassifications, words.holds, entry.holds ?? "internal") &&
  words.reversibility === entry.reversibility &&
  (words.anywhere || anywhere !== true) &&
  (words.credential || credential !== true) &&
  (words.weakens || weakens !== true)

describe("the catalogue", () => {
  it("is read as it is listed, name by name, where its provider is the target system", () => {
    const others: Array<string> = []
    const wrong: Array<string> = []
    for (const { entry, named, provider } of listed) {
      const words = wordsOf({ ...named, environment: "production" })
      // Some names begin with the name of another provider, who lists them too: `git.push` in heroku's.
      if (words.provider !== provider) others.push(named.actionType)
      else if (!readsAsListed(words, entry)) wrong.push(`${provider}: ${named.actionType}`)
    }
    expect(wrong).toEqual([])
    expect(others.length).toBeLessThan((2 * listed.length) / 1_000)
  })
})

const runs = Math.ceil(oracleRuns / 4)

const realCall = fc
  .record({ one: fc.constantFrom(...listed), action: claimed() })
  .map(({ action, one }): Action => ({ ...action, ...one.named }))
  .chain((action) => fc.record({ action: fc.constant(action), behavior: behavior(action) }))

it(`the scorer agrees with the oracle on ${runs} real names`, { timeout: timeoutMs(runs) }, () => {
  const found = fc.check(
    fc.property(realCall, (asked) =>
      isDeepStrictEqual(
        comparable(opineAsked({ ...asked, policies: [] })),
        opinion({ ...asked, policies: [], words: wordsOf(asked.action) })
      )
    ),
    { numRuns: runs }
  )
  expect(fc.defaultReportMessage(found)).toBeUndefined()
})
