/** The calls whose answers are photographed, in groups: one for each provider, label set, file of cases, file of tests and collection. */

import fc from "fast-check"
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Action, Environment } from "../../src/domain/Action.ts"
import type { Behavior, BehaviorSnapshot } from "../../src/domain/Behavior.ts"
import {
  type CallGroups,
  casesAndExamples,
  collectedCalls,
  labelledCalls,
  type PlacelessCall,
  textsOfTests
} from "../../src/rules/corpus/callGroups.ts"
import { entryCalls } from "../../src/rules/corpus/namedCalls.ts"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { anyAction } from "../support/arbitrary/action.ts"
import { behavior, noHistory } from "../support/arbitrary/behavior.ts"

export interface Call {
  readonly action: Action
  readonly behavior: Behavior
  /** Name of a policy set of this installation. */
  readonly policies: "none" | "starter"
}

export type Groups = CallGroups<Call>

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

const mapGroups = <From>(
  groups: CallGroups<From>,
  callsOf: (calls: ReadonlyArray<From>) => ReadonlyArray<Call>
): Groups => new Map([...groups].map(([name, calls]) => [name, callsOf(calls)]))

/** A call that states its environment keeps it. */
const inEnvironments =
  (...environments: ReadonlyArray<Environment>) =>
  (calls: ReadonlyArray<PlacelessCall>): ReadonlyArray<Call> =>
    calls.flatMap((call) =>
      "environment" in call
        ? [bare(call as Action)]
        : environments.map((environment) => bare({ ...call, environment }))
    )

const filesOf = (pattern: string): ReadonlyArray<string> => globSync(pattern, { cwd: packageRoot }).toSorted()

const corpora = "../shared/corpora/data"

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

const labelled = labelledCalls(packageRoot)

/** The calls that people labelled, and the cases of the rules: small enough for every run of the tests. */
export const judgedCalls = (): Groups =>
  new Map([
    ...mapGroups(labelled, (actions) => actions.flatMap((action) => [bare(action), known(action)])),
    ...mapGroups(casesAndExamples(packageRoot), (actions) => actions.map(known))
  ])

const catalogues: CallGroups<PlacelessCall> = new Map(
  filesOf("rules/lexicon/providers/*.json").map((file) => [
    file,
    entryCalls(JSON.parse(readFileSync(join(packageRoot, file), "utf8")))
  ])
)

const collections: CallGroups<PlacelessCall> = new Map(
  existsSync(join(packageRoot, corpora))
    ? [...collectedCalls(join(packageRoot, corpora))].map(([file, calls]) => [`${corpora}/${file}`, calls])
    : []
)

export const allCalls = (): Groups =>
  new Map([
    ...judgedCalls(),
    ...mapGroups(catalogues, inEnvironments("development", "staging", "production")),
    ...mapGroups(textsOfTests(packageRoot), inEnvironments("development", "production")),
    ...mapGroups(collections, inEnvironments("development", "production")),
    ["seeded", seeded([...labelled.values()].flat().map(({ actionType }) => actionType))]
  ])
