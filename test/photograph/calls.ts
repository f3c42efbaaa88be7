/** The calls whose answers are photographed, in groups: one for each provider, label set, file of cases, file of tests and corpus. */

import { Result } from "effect"
import fc from "fast-check"
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { readActionRequest } from "../../src/api/AssessmentRequest.ts"
import type { Action, Environment } from "../../src/domain/Action.ts"
import type { Behavior, BehaviorSnapshot } from "../../src/domain/Behavior.ts"
import { isRecord, type Json } from "../../src/json/json.ts"
import { actionTypeMax, targetResourceMax } from "../../src/limits.ts"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { anyAction } from "../support/arbitrary/action.ts"
import { behavior, noHistory } from "../support/arbitrary/behavior.ts"

export interface Call {
  readonly action: Action
  readonly behavior: Behavior
  /** Name of a policy set of this installation. */
  readonly policies: "none" | "starter"
}

export type Groups = ReadonlyMap<string, ReadonlyArray<Call>>

/** A month of history in which nothing about the action is new. */
const knownHistory = (action: Action): BehaviorSnapshot => {
  const none = noHistory(action)
  return {
    ...none,
    sampleSize: 480,
    entityVolume: { units: 300, median: 2 },
    financialValue: { units: 40, medianUsdCents: 9_000 },
    velocity: { lastHour: 12, p95PerHour: 15, days: 30, hours: 300 },
    destination: none.destination && {
      days: 12,
      firstSeenHours: 600,
      largestEntities: 40,
      largestUsdCents: 50_000,
      lookalike: false
    },
    actionTypeSeen: true,
    agentSeen: action.agentId !== undefined,
    last24Hours: { entities: 60, usdCents: 120_000 },
    otherSums: {
      destination: none.destination && { entities: 20, usdCents: 30_000 },
      organization: { entities: 900, usdCents: 2_000_000 }
    },
    usualDay: { days: 29, entities: 500, usdCents: 1_500_000 },
    today: { units: 4, actionTypeSeen: true, destinationSeen: none.destination !== null }
  }
}

const bare = (action: Action): Call => ({ action, behavior: noHistory(action), policies: "none" })

const known = (action: Action): Call => ({ action, behavior: knownHistory(action), policies: "starter" })

/** Requests that the API refuses have no answer. */
const acceptedOf = (request: Json): ReadonlyArray<Action> =>
  Result.match(readActionRequest(request, false), {
    onFailure: () => [],
    onSuccess: ({ action }) => [action]
  })

const filesOf = (pattern: string): ReadonlyArray<string> =>
  globSync(pattern, { cwd: packageRoot, exclude: (name) => name === "node_modules" }).toSorted()

const textOf = (file: string): string => readFileSync(join(packageRoot, file), "utf8")

const linesOf = (file: string): ReadonlyArray<Json> =>
  textOf(file)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Json)

/** Every request anywhere in a document: whatever has an action type and an environment. */
const requestsIn = (json: Json): ReadonlyArray<Json> => {
  if (Array.isArray(json)) return json.flatMap(requestsIn)
  if (!isRecord(json)) return []
  return json["action_type"] !== undefined && json["environment"] !== undefined
    ? [json]
    : Object.values(json).flatMap(requestsIn)
}

const inEnvironments = (
  of: ReadonlyArray<Environment>,
  ...actions: ReadonlyArray<Omit<Action, "environment">>
) => actions.flatMap((action) => of.map((environment) => bare({ ...action, environment })))

const farApart = ["development", "production"] as const

const entriesOf = (file: string): ReadonlyArray<Call> => {
  const { actions, prefixes } = JSON.parse(textOf(file)) as {
    readonly actions: Readonly<Record<string, unknown>>
    readonly prefixes: ReadonlyArray<string>
  }
  return Object.keys(actions).flatMap((name) =>
    inEnvironments(["development", "staging", "production"], { actionType: `${prefixes[0]}.${name}` })
  )
}

/** As the hook of an agent's host states a shell command. */
const asHookStates = (command: string): Omit<Action, "environment"> => ({
  actionType: "claude_code.Bash",
  agentId: "claude-code",
  targetResource: [...command].slice(0, targetResourceMax).join(""),
  metadata: { tool: "Bash", command }
})

const stringLiteral = /"(?:[^"\\\n]|\\.)+"/g

const importLine = /^(?:import|\} from) .*$/gm

/** The text of a literal that JSON and the API accept. */
const textOfLiteral = (literal: string): ReadonlyArray<string> => {
  const text = Result.getOrElse(
    Result.try(() => JSON.parse(literal) as string),
    () => ""
  )
  return text.trim() !== "" && text.isWellFormed() && !text.includes("\0") ? [text] : []
}

/** Every text in double quotes, as a command and as the name of an action: tests of readers hold little else. */
const literalsOf = (file: string): ReadonlyArray<Call> => {
  const literals = textOf(file).replaceAll(importLine, "").matchAll(stringLiteral)
  const texts = new Set([...literals].flatMap(([literal]) => textOfLiteral(literal)))
  return [...texts].flatMap((text) => [
    ...inEnvironments(farApart, asHookStates(text)),
    ...([...text].length > actionTypeMax ? [] : inEnvironments(farApart, { actionType: text }))
  ])
}

const corpora = "../shared/corpora/data"

const corpusLine = (line: Json): ReadonlyArray<Call> => {
  if (!isRecord(line)) return []
  if (typeof line["command"] === "string") return inEnvironments(farApart, asHookStates(line["command"]))
  return requestsIn(line).flatMap(acceptedOf).map(bare)
}

const seed = 20_261_128
const seededCalls = 30_000

/** Drawn actions, half of them with a name from the label sets, with drawn histories, and with or without policies. */
const seeded = (names: ReadonlyArray<string>): ReadonlyArray<Call> => {
  const call = fc
    .tuple(anyAction(), fc.option(fc.constantFrom(...names)), fc.boolean())
    .chain(([drawn, name, withPolicies]) => {
      const action = name === null ? drawn : { ...drawn, actionType: name }
      return behavior(action).map((history): Call => ({
        action,
        behavior: history,
        policies: withPolicies ? "starter" : "none"
      }))
    })
  return fc.sample(call, { seed, numRuns: seededCalls })
}

const groupsOf = (
  files: ReadonlyArray<string>,
  calls: (file: string) => ReadonlyArray<Call>
): ReadonlyArray<readonly [string, ReadonlyArray<Call>]> => files.map((file) => [file, calls(file)] as const)

const labelFiles = filesOf("{test,examples}/labels/**/*.ndjson")
const labelled = (file: string): ReadonlyArray<Action> =>
  linesOf(file).flatMap(requestsIn).flatMap(acceptedOf)

/** What people labelled, and the cases beside the rules: small enough for every run of the tests. */
export const judgedCalls = (): Groups =>
  new Map([
    ...groupsOf(labelFiles, (file) => labelled(file).flatMap((action) => [bare(action), known(action)])),
    ...groupsOf(
      [
        ...filesOf("{rules,policies}/**/*.cases.json"),
        ...filesOf("examples/requests/*.json"),
        "rules/calibration.json"
      ],
      (file) =>
        requestsIn(JSON.parse(textOf(file)) as Json)
          .flatMap(acceptedOf)
          .map(known)
    ).filter(([, calls]) => calls.length > 0)
  ])

export const allCalls = (): Groups =>
  new Map([
    ...judgedCalls(),
    ...groupsOf(filesOf("rules/lexicon/providers/*.json"), entriesOf),
    ...groupsOf(filesOf("test/scoring/**/*.test.ts"), literalsOf),
    ...(existsSync(join(packageRoot, corpora))
      ? groupsOf(filesOf(`${corpora}/*.ndjson`), (file) => linesOf(file).flatMap(corpusLine))
      : []),
    ["seeded", seeded(labelFiles.flatMap(labelled).map(({ actionType }) => actionType))]
  ])
