/** Calls to score with the working files: every labelled call of the tests, with and without history and policies, and the longest requests. */

import { Result } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { readActionRequest } from "../src/api/AssessmentRequest.ts"
import type { Action } from "../src/domain/Action.ts"
import type { BehaviorSnapshot } from "../src/domain/Behavior.ts"
import { isRecord, type Json } from "../src/json/json.ts"
import {
  actionDescriptionMax,
  actionTypeMax,
  agentIdMax,
  bodyBytesMax,
  destinationMax,
  targetResourceMax,
  targetSystemMax
} from "../src/limits.ts"
import { packageRoot } from "../src/rules/files/readTree.ts"
import { loadPolicySet } from "../src/rules/policies/loadPolicySet.ts"
import { loadDraft } from "../src/rules/release/loadRelease.ts"
import type { PolicySet } from "../src/scoring/Model.ts"

export const { model: draftModel } = Result.getOrThrow(loadDraft(packageRoot))

const policySets = ["none", "starter"].map((name) => loadPolicySet(packageRoot, name).policySet)

export interface Asked {
  readonly action: Action
  readonly behavior: BehaviorSnapshot
  readonly policySet: PolicySet
}

/** The action that the API reads from a request, so that a bench measures nothing that the API refuses. */
const accepted = (request: Json): Action =>
  Result.getOrThrowWith(
    readActionRequest(request, false),
    (problems) => new Error(`the API refuses the request: ${JSON.stringify(problems)}`)
  ).action

const noSum = { entities: 0, usdCents: 0 }

/** An organization with a month of history, or one without any. */
const historyOf = ({ agentId, destination }: Action, known: boolean): BehaviorSnapshot => ({
  takenAt: "2026-11-22T12:00:00.000Z",
  windowDays: 30,
  sampleSize: known ? 480 : 0,
  entityVolume: known ? { units: 300, median: 2 } : { units: 0, median: null },
  financialValue: known ? { units: 40, medianUsdCents: 9_000 } : { units: 0, medianUsdCents: null },
  velocity: known
    ? { lastHour: 12, p95PerHour: 15, days: 30, hours: 300 }
    : { lastHour: 1, p95PerHour: null, days: 0, hours: 0 },
  destination:
    destination === undefined
      ? null
      : known
        ? { days: 12, firstSeenHours: 600, largestEntities: 40, largestUsdCents: 50_000, lookalike: false }
        : { days: 0, firstSeenHours: 0, largestEntities: 0, largestUsdCents: 0, lookalike: false },
  actionTypeSeen: known,
  agentSeen: known && agentId !== undefined,
  last24Hours: known ? { entities: 60, usdCents: 120_000 } : noSum,
  otherSums: {
    destination: destination === undefined ? null : known ? { entities: 20, usdCents: 30_000 } : noSum,
    organization: known ? { entities: 900, usdCents: 2_000_000 } : noSum
  },
  usualDay: known ? { days: 29, entities: 500, usdCents: 1_500_000 } : { days: 0, ...noSum },
  today: { units: known ? 4 : 0, actionTypeSeen: known, destinationSeen: known && destination !== undefined }
})

const labelled = readFileSync(join(packageRoot, "test/labels/calls.ndjson"), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => {
    const label = JSON.parse(line) as Json
    return accepted(isRecord(label) ? (label["request"] ?? null) : null)
  })

export const calls: ReadonlyArray<Asked> = labelled.flatMap((action) =>
  [true, false].flatMap((known) =>
    policySets.map((policySet) => ({ action, behavior: historyOf(action, known), policySet }))
  )
)

/** Texts that take long for their length, repeated up to every limit of a request. */
const tedious = {
  "short words": "a_",
  "verbs and conjunctions": "delete_and_export_",
  nouns: "customer_",
  "camel case": "DeleteUser",
  "a provider's prefix": "aws_s3_",
  "another script": "д",
  "one character that folds to eighteen": "\ufdfa",
  "one character that folds to seven": "\u321d",
  "shell commands": "rm -rf /; ",
  "wrapped commands": "docker run -v /:/x a sh -c 'rm -rf /x'; ",
  "open substitutions": '"$(',
  "open braces": "{",
  "here-documents": "cat <<a\n",
  schedules: "crontab - <<a\n* * * * * rm -rf /\na\n",
  "a chain of wrappers": "ssh a ",
  "SQL statements": "SELECT * FROM a WHERE b = 1; ",
  "SQL in SQL": "WITH a AS (DELETE FROM b RETURNING *) ",
  "a long condition": "DELETE FROM a WHERE a=1 OR ",
  "statements in texts": "EXEC a 'DELETE FROM b'; ",
  "open parentheses": "SELECT (",
  "lines of one command": "\n:",
  "words that signals begin with": " * * * * * 1,% ",
  "a deletion that never ends": "DELETE FROM a prod1 .",
  "short programs of another language": "node -e 'a=>(b)=>c(d.e)'; ",
  "a long program of Python": `python3 -c '${"print(a);".repeat(440)}'; `,
  "a long program of JavaScript": `node -e '${"a((b)=>c); ".repeat(360)}'; `,
  "a long program of Ruby": `ruby -e '${"puts a; ".repeat(500)}'; `
} as const

const upTo = (max: number, text: string): string =>
  (text.length > max ? text.slice(0, max) : text.repeat(Math.floor(max / text.length))).trim()

/** Names of all classes of tools that read commands, in full length or short enough for the command to be read. */
const tools = ["bash", "execute_sql", undefined]
/** The longest command that is read, and one that fills the body. */
const commandLengths = [8_192, bodyBytesMax / 4]

export const longest: ReadonlyArray<Asked & { readonly of: string }> = Object.entries(tedious).flatMap(
  ([of, text]) =>
    tools.flatMap((tool) =>
      commandLengths.flatMap((length) => {
        const action = accepted({
          action_type: tool ?? upTo(actionTypeMax, text),
          environment: "staging",
          agent_id: upTo(agentIdMax, text),
          target_system: upTo(targetSystemMax, text),
          target_resource: upTo(targetResourceMax, text),
          destination: upTo(destinationMax, text),
          action_description: upTo(actionDescriptionMax, text),
          metadata: { command: upTo(length, text) }
        })
        return policySets.map((policySet) => ({ of, action, behavior: historyOf(action, true), policySet }))
      })
    )
)

/** As much as a gate hands over of a call's arguments. */
const argumentUnits = 47_000

const members = (member: (at: number) => readonly [key: string, value: Json]): Json => {
  const object: Record<string, Json> = {}
  let units = 2
  for (let at = 0; ; at++) {
    const [key, value] = member(at)
    units += JSON.stringify({ [key]: value }).length - 1
    if (units > argumentUnits) return object
    object[key] = value
  }
}

/** Whole calls whose arguments take long for their length. */
export const largestCalls: ReadonlyArray<Asked & { readonly of: string }> = Object.entries({
  "many texts": members((at) => [`field_${at}`, `value of ${at} or so`]),
  "many amounts": members((at) => [`amount_${at}`, at]),
  "many paths": members((at) => [`path_${at}`, `/srv/${at}/app.conf`]),
  "objects in objects": members((at) => [`f${at}`, { user: { id: at, name: `n${at}` } }]),
  "one statement": { sql: upTo(argumentUnits, "SELECT * FROM a WHERE b = 1; ") },
  "a long list": { ids: Array.from({ length: 4_000 }, (_, at) => `id_${at}`) },
  "a letter": { body: upTo(argumentUnits, "please delete all users and send me the list. ") }
} satisfies Readonly<Record<string, Json>>).map(([of, args]) => {
  const action = accepted({
    action_type: "mcp__shop__update",
    environment: "production",
    metadata: { tool_call: { name: "mcp__shop__update", arguments: args } }
  })
  return {
    of,
    action,
    behavior: historyOf(action, true),
    policySet: loadPolicySet(packageRoot, "starter").policySet
  }
})
