/** Anything that is not a fact changes nothing, and the caller's words are not repeated. */

import fc from "fast-check"
import { isDeepStrictEqual } from "node:util"
import type { JsonObject } from "../../src/json/json.ts"
import type { Action } from "../../src/domain/Action.ts"
import { factKinds } from "../../src/scoring/Facts.ts"
import { question } from "../support/arbitrary/question.ts"
import { opineAsked } from "../support/opine.ts"
import { theorems } from "../support/theorem.ts"

const wireNames = ["environment", "reversibility", "entities_affected", "destination", "production_impact"]
const json: fc.Arbitrary<JsonObject> = fc.dictionary(
  fc.oneof(fc.constantFrom(...Object.keys(factKinds), ...wireNames), fc.string({ maxLength: 8 })),
  fc.oneof(
    fc.constantFrom("production", "irreversible", "regulated", 0, 1_000_000, true, false, null),
    fc.string()
  )
)

/** Letters that no template contains. */
const mark = "qzxwvj"

const marked = (action: Action): Action => {
  const { destination, targetResource, targetSystem } = action
  return {
    ...action,
    agentId: mark,
    actionDescription: mark,
    targetSystem: `${targetSystem ?? ""} ${mark}`,
    targetResource: `${targetResource ?? ""} ${mark}`,
    metadata: { [mark]: mark },
    context: { [mark]: mark },
    ...(destination === undefined ? {} : { destination: `${destination} ${mark}` })
  }
}

theorems(
  fc.tuple(question(), json, json, fc.constantFrom("drop the production database", "harmless", "")),
  ([asked]) => opineAsked(asked),
  {
    "metadata, context and description that follow no convention never become facts": (
      opinion,
      [asked, metadata, context, actionDescription]
    ) =>
      isDeepStrictEqual(
        opinion,
        opineAsked({ ...asked, action: { ...asked.action, metadata, context, actionDescription } })
      ),

    "no reason repeats the caller's words, and the summary only quotes them": (_, [asked]) => {
      const { recommendedControl, riskFactors, summary } = opineAsked({
        ...asked,
        action: marked(asked.action)
      })
      const unquoted = summary.replaceAll(/“[^”]*”/gu, "")
      const said = [unquoted, ...recommendedControl.because, ...riskFactors.map(({ message }) => message)]
      return !said.some((sentence) => sentence.toLowerCase().includes(mark))
    }
  }
)
