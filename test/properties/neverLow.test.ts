/** T3b: an action that can do harm is never low in production while its extent is unknown (scoring.md §5). */

import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { packageRoot, readRuleTree } from "../../src/rules/files/readTree.ts"
import { readLexiconData } from "../../src/rules/lexicon/readLexicon.ts"
import { firstOpinionOn } from "../support/opine.ts"

const { providers } = Result.getOrThrow(
  Result.flatMap(readRuleTree(packageRoot), ({ lexicon }) => readLexiconData(lexicon))
)

const cautious = new Set([
  "delete",
  "destroy",
  "export",
  "transact",
  "execute",
  "access",
  "actuate",
  "unknown"
])

/** Tests every nth entry: a third of the catalogue would take longer and find no more. */
const stride = 9

const names = Object.values(providers)
  .flatMap(({ actions, prefixes }) =>
    Object.entries(actions).flatMap(([name, entry]) =>
      cautious.has(entry.class) && (entry.impact ?? "low") !== "low" ? [{ name, system: prefixes[0] }] : []
    )
  )
  .filter((_, at) => at % stride === 0)

const levelOf = ({ name, system }: (typeof names)[number], environment: "production" | "sandbox"): string => {
  const opinion = firstOpinionOn({
    actionType: name,
    environment,
    ...(system === undefined ? {} : { targetSystem: system })
  })
  return opinion.reading.impact === "low" ? "read as another act" : opinion.actionRisk.level
}

describe("a tool that can do harm, with nothing stated but its name", () => {
  it("is never low in production", () => {
    expect(names.length).toBeGreaterThan(1_000)
    expect(names.filter((one) => levelOf(one, "production") === "low")).toEqual([])
  })

  it("is mostly low in a sandbox, where little depends on it", () => {
    const low = names.filter((one) => levelOf(one, "sandbox") === "low").length
    expect(low / names.length).toBeGreaterThan(0.5)
  })
})
