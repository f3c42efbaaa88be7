/** Facets and counts, as filters and statistics read them: against the assessments themselves, read one by one. */

import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Eraser } from "../../../src/evidence/Eraser.ts"
import { Seals, sealUnsealed } from "../../../src/evidence/Seals.ts"
import type { ActionItem } from "../../../src/api/Actions.ts"
import { facets } from "../../../src/storage/facets/facetTables.ts"
import { SealFollower } from "../../../src/storage/facets/followSeals.ts"
import { type FacetFilter, FilteredLists } from "../../../src/storage/facets/FilteredLists.ts"
import { DayCounts } from "../../../src/storage/facets/DayCounts.ts"
import { TestSql } from "../../support/modeSql.ts"
import { caller } from "../../support/assessCall.ts"
import { eraser, sealAsOlder, superuser } from "../../support/eraser.ts"
import { assess, useCase } from "../../support/useCase.ts"
import type { Action } from "../../../src/domain/Action.ts"

const stores = Layer.mergeAll(eraser, SealFollower.layer, FilteredLists.layer, DayCounts.layer)

const actions: ReadonlyArray<Action> = [
  {
    actionType: "hubspot.contacts.export",
    environment: "production",
    agentId: "crm-cleaner",
    recordsAffected: 90_000
  },
  {
    actionType: "stripe.payouts.create",
    environment: "production",
    agentId: "sweeper",
    financialValue: 48_000,
    currency: "USD"
  },
  { actionType: "github.issues.list", environment: "staging", agentId: "crm-cleaner" },
  { actionType: "DROP TABLE", environment: "staging" },
  { actionType: "jira.issues.comment", environment: "development", agentId: "scribe" }
]

const assessAll = Effect.fnUntraced(function* (owner: ReturnType<typeof caller>, rounds = 1) {
  for (let round = 0; round < rounds; round++)
    for (const [at, action] of actions.entries())
      yield* assess({ caller: owner, action, drill: at === 4 ? "incomplete" : null })
})

const makeAll = Effect.fnUntraced(function* (organizationId: string) {
  const { follow } = yield* SealFollower
  yield* Effect.repeat(follow(facets, "test", [organizationId]), { until: ({ left }) => left.length === 0 })
})

interface Stored {
  readonly item: ActionItem
  readonly codes: ReadonlyArray<string>
}

const storedOf = Effect.fnUntraced(function* (organizationId: string) {
  const sql = yield* TestSql
  return yield* sql<Stored>`
    SELECT item, ARRAY(SELECT factor ->> 'code' FROM json_array_elements(convert_from(response, 'UTF8')::json -> 'risk_factors') AS factor) AS codes
    FROM assessments WHERE organization_id = ${organizationId} ORDER BY assessment_id DESC
  `
})

const fits = <A>(wanted: A | null | undefined, isSo: (wanted: A) => boolean): boolean =>
  wanted === null || wanted === undefined || isSo(wanted)

/** The same, by reading everything. */
const matches =
  (filter: FacetFilter) =>
  ({ codes, item }: Stored): boolean => {
    const level = item.action_risk.level
    const complete = item.assessment_status === "complete"
    const notable = !complete || level === "high" || level === "critical"
    return (
      fits(filter.levels, (levels) => levels.some((one) => one === level)) &&
      fits(filter.environments, (environments) => environments.includes(item.environment)) &&
      fits(filter.categories, (categories) => categories.includes(item.action_category)) &&
      fits(filter.complete, (wanted) => wanted === complete) &&
      fits(filter.agentId, (agent) => agent === item.agent_id) &&
      fits(filter.actionType, (type) => type === item.action_type) &&
      fits(filter.factor, (code) => codes.includes(code)) &&
      fits(filter.hasReview, (wanted) => wanted === notable) &&
      fits(filter.text, (text) => JSON.stringify(item).toLowerCase().includes(text.toLowerCase()))
    )
  }

const filters: ReadonlyArray<FacetFilter> = [
  {},
  { levels: ["high", "critical"] },
  { levels: ["low"] },
  { environments: ["staging"] },
  { categories: ["financial", "data"] },
  { complete: false },
  { agentId: "crm-cleaner" },
  { agentId: "nobody" },
  { actionType: "DROP TABLE" },
  { factor: "IRREVERSIBLE_ACTION" },
  { factor: "NO_SUCH_FACTOR" },
  { hasReview: true },
  { hasReview: false, environments: ["staging"] },
  { agentId: "crm-cleaner", environments: ["staging"], levels: ["low", "moderate"] },
  { text: "issues" },
  { text: "issues", agentId: "scribe" }
]

const idsOf = (itemsJson: string) =>
  (JSON.parse(`[${itemsJson}]`) as ReadonlyArray<ActionItem>).map((item) => item.assessment_id)

layer(stores.pipe(Layer.provideMerge(useCase())), { timeout: 60_000 })("facets", (it) => {
  it.effect("a filtered list holds exactly the assessments that match, page by page", () =>
    Effect.gen(function* () {
      const owner = caller()
      yield* assessAll(owner, 3)
      yield* sealUnsealed("test")
      yield* makeAll(owner.organizationId)
      const stored = yield* storedOf(owner.organizationId)
      expect(stored).toHaveLength(15)
      const { assessments } = yield* FilteredLists
      for (const chosen of filters) {
        const filter = chosen
        const expected = stored.filter(matches(filter)).map(({ item }) => item.assessment_id)
        const ids: Array<string> = []
        let before: string | undefined
        for (;;) {
          const page = yield* assessments(owner, filter, { limit: 2, before }, 2_000)
          ids.push(...idsOf(page.itemsJson))
          if (page.lastId === null) break
          before = page.lastId
        }
        expect({ chosen, ids }).toEqual({ chosen, ids: expected })
      }
    })
  )

  it.effect("no organization finds or counts what another one was answered", () =>
    Effect.gen(function* () {
      const [owner, other] = [caller(), caller()]
      yield* assessAll(owner)
      yield* sealUnsealed("test")
      yield* makeAll(owner.organizationId)
      const { assessments } = yield* FilteredLists
      const statistics = yield* DayCounts
      const span = { from: "1970-01-01", to: "2100-01-01" }
      expect((yield* assessments(other, {}, { limit: 5, before: undefined }, 2_000)).itemsJson).toBe("")
      expect(yield* statistics.tallies(other, span, ["level"])).toEqual([])
      expect(yield* statistics.names(other, span, ["agent_id"])).toEqual([])
      expect(yield* statistics.names({ ...owner, mode: "live" }, span, ["agent_id"])).toEqual([])
    })
  )

  it.effect("counts are those of the assessments, and erasing takes an assessment out of all of them", () =>
    Effect.gen(function* () {
      const owner = caller()
      yield* assessAll(owner, 2)
      yield* sealAsOlder
      yield* makeAll(owner.organizationId)
      const stored = yield* storedOf(owner.organizationId)
      const statistics = yield* DayCounts
      const span = { from: "1970-01-01", to: "2100-01-01" }
      const countsOf = (rows: ReadonlyArray<Stored>, valuesOf: (row: Stored) => ReadonlyArray<string>) => {
        const counts: Record<string, number> = {}
        for (const value of rows.flatMap(valuesOf)) counts[value] = (counts[value] ?? 0) + 1
        return counts
      }
      const compare = Effect.fnUntraced(function* (rows: ReadonlyArray<Stored>) {
        const byLevel = yield* statistics.tallies(owner, span, ["level"])
        expect(Object.fromEntries(byLevel.map(({ count, level }) => [level, count]))).toEqual(
          countsOf(rows, ({ item }) => [item.action_risk.level])
        )
        const agents = yield* statistics.names(owner, span, ["agent_id"])
        expect(Object.fromEntries(agents.map(({ count, name }) => [name, count]))).toEqual(
          countsOf(rows, ({ item }) => (item.agent_id === null ? [] : [item.agent_id]))
        )
        const factors = yield* statistics.names(owner, span, ["factor"])
        expect(Object.fromEntries(factors.map(({ count, name }) => [name, count]))).toEqual(
          countsOf(rows, ({ codes }) => [...new Set(codes)])
        )
      })
      yield* compare(stored)
      const { erase } = yield* Eraser
      const [first, ...rest] = stored
      expect(yield* erase(owner, [first?.item.assessment_id ?? ""], "request")).toBe(1)
      yield* compare(rest)
      expect(
        yield* erase(
          owner,
          rest.map(({ item }) => item.assessment_id),
          "retention"
        )
      ).toBe(rest.length)
      const sql = yield* superuser
      for (const table of ["facets", "tallies", "name_tallies"])
        expect(yield* sql`SELECT FROM ${sql(table)} WHERE organization_id = ${owner.organizationId}`).toEqual(
          []
        )
    }).pipe(Effect.scoped)
  )

  it.effect("a process finds the organizations that another one sealed for and left behind", () =>
    Effect.gen(function* () {
      const [owner, settled] = [caller(), caller()]
      yield* assessAll(settled)
      yield* sealUnsealed("test")
      yield* makeAll(settled.organizationId)
      yield* assessAll(owner)
      yield* sealUnsealed("test")
      const { behind } = yield* SealFollower
      const found = yield* behind(facets, "test")
      expect(found).toContain(owner.organizationId)
      expect(found).not.toContain(settled.organizationId)
      expect((yield* Seals).takeSealed("test")).toContain(owner.organizationId)
    })
  )
})
