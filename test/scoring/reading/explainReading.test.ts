import { Result } from "effect"
import fc from "fast-check"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { readActionRequest } from "../../../src/api/AssessmentRequest.ts"
import type { Action } from "../../../src/domain/Action.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { knowledgeLines } from "../../../src/rules/explain/knowledgeLines.ts"
import { impacts } from "../../../src/scoring/reading/Act.ts"
import { type ReadingEvidence, explainReading } from "../../../src/scoring/reading/explainReading.ts"
import { readCall } from "../../../src/scoring/reading/readCall.ts"
import { anyAction } from "../../support/arbitrary/action.ts"
import { propertyRuns, timeoutMs } from "../../support/depth.ts"
import { model } from "../../support/draft.ts"

const { lexicon } = model

const evidenceOf = (action: Partial<Action>): ReadonlyArray<ReadingEvidence> =>
  explainReading({ actionType: "Bash", environment: "development", ...action }, lexicon)

const inBrief = ({ at, counts, field, impact, line, said, source }: ReadingEvidence) =>
  [source, field, at, said, impact, counts ? line : `(${line})`].join(" · ")

const labelledCalls = readFileSync(join(packageRoot, "test/labels/calls.ndjson"), "utf8")
  .trim()
  .split("\n")
  .map((line) => Result.getOrThrow(readActionRequest(JSON.parse(line).request, false)))

const textOf = (action: Action, field: string): string | undefined =>
  ({
    action_type: action.actionType,
    action_description: action.actionDescription,
    destination: action.destination,
    target_resource: action.targetResource,
    target_system: action.targetSystem
  })[field]

describe("the evidence of a reading", () => {
  it("is each command of a text with its characters and the form of its program, the riskiest first", () => {
    const evidence = evidenceOf({ targetResource: "cd /srv && git push --mirror; cat ~/.ssh/id_rsa" })
    expect(evidence.map(inBrief)).toEqual([
      "command · target_resource · 11 · git push --mirror · critical · git push --mirror|--prune",
      expect.stringContaining("command · target_resource · 30 · cat ~/.ssh/id_rsa · high · cat @secret"),
      "command · target_resource · 0 · cd /srv · low · cd",
      "provider · action_type · 0 · Bash · high · (anthropic_tools bash)"
    ])
  })

  it("is the whole command that hands on another one", () => {
    const [first] = evidenceOf({ targetResource: "ls; ssh db1 'psql -c \"DROP TABLE orders\"'" })
    expect(first).toMatchObject({
      at: 4,
      said: "ssh db1 'psql -c \"DROP TABLE orders\"'",
      line: "sqlDropTable"
    })
  })

  it("is the verb and the noun of a name, the signals of its arguments, and where it takes place", () => {
    const evidence = evidenceOf({
      actionType: "delete_customer_records",
      targetResource: "notify=none, backup=false",
      targetSystem: "prod-db"
    })
    expect(evidence.map(inBrief)).toEqual(
      expect.arrayContaining([
        "name · action_type · 0 · delete_customer_records · moderate · verb delete, noun customer record",
        "argument · target_resource · 13 · backup=false · high · signal no_backup",
        "argument · target_system · 0 · prod-db ·  · production"
      ])
    )
  })

  it("is the argument of a tool by its path, and what a name hints gives way to it", () => {
    const evidence = evidenceOf({
      actionType: "mcp__postgres__query",
      metadata: { tool_call: { arguments: { sql: "DELETE FROM orders;" } } }
    })
    expect(evidence.map(inBrief)).toEqual([
      "command · $.sql · 0 · DELETE FROM orders; · critical · sqlDeleteAllVital",
      "provider · action_type · 0 · mcp__postgres__query · low · (postgres query)"
    ])
  })

  it("is a command in the description, which counts where it is worse than the call", () => {
    const [first] = evidenceOf({
      actionType: "github.create_issue",
      actionDescription: "kubectl delete namespace prod --force"
    })
    expect(first).toMatchObject({ source: "prose", field: "action_description", at: 0, counts: true })
  })

  it("is what was not read of the arguments", () => {
    const evidence = evidenceOf({
      actionType: "mcp__acme__run",
      metadata: { tool_call: { arguments: {}, left_out: ["$.script"] } }
    })
    expect(evidence).toContainEqual(expect.objectContaining({ field: "$.script", line: "not read" }))
  })

  it(
    "quotes characters that are in their field, at the stated place",
    () => {
      const isThere = (action: Action, { at, field, said }: ReadingEvidence) =>
        at === undefined || textOf(action, field)?.startsWith(said, at) !== false
      fc.assert(
        fc.property(anyAction(), (action) => {
          expect(explainReading(action, lexicon).filter((one) => !isThere(action, one))).toEqual([])
        }),
        { numRuns: propertyRuns }
      )
    },
    timeoutMs(propertyRuns)
  )

  const rank = ({ counts, impact, lowers }: ReadingEvidence): number =>
    counts && !lowers && impact !== undefined ? impacts.indexOf(impact) : -1
  const tellsAll = (action: Action): boolean =>
    Math.max(...explainReading(action, lexicon).map(rank)) >=
    impacts.indexOf(readCall(action, lexicon).impact)

  it(
    "reports something at least as grave as the reading",
    () => {
      fc.assert(fc.property(anyAction(), tellsAll), { numRuns: propertyRuns })
    },
    timeoutMs(propertyRuns)
  )

  it("does so for every labelled call", () => {
    expect(labelledCalls.filter(({ action }) => !tellsAll(action))).toEqual([])
  })
})

describe("a line of knowledge", () => {
  const placeOf = knowledgeLines(packageRoot)
  it.each([
    ["command", "git push --mirror|--prune", "rules/lexicon/programs/git.json"],
    ["command", "cd", "rules/lexicon/programs/cd.json"],
    ["command", "sqlDropTable", "rules/lexicon/commands.json"],
    ["provider", "stripe create_refund", "rules/lexicon/providers/stripe.json"],
    ["name", "verb delete, noun customer record", "rules/lexicon/words/verbs.json"],
    ["argument", "signal no_backup", "rules/lexicon/words/signals.json"]
  ] as const)("of %s, `%s`, is in %s", (source, line, file) => {
    expect(placeOf({ source, line })).toMatchObject({ file })
  })

  it("that no working file has is nowhere", () => {
    expect(placeOf({ source: "command", line: "git --no-such-form" })).toBeUndefined()
  })
})
