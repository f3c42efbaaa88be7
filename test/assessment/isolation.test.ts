import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import fc from "fast-check"
import { Assess } from "../../src/assessment/Assess.ts"
import { Assessments } from "../../src/assessment/Assessments.ts"
import { Scorer } from "../../src/assessment/Scorer.ts"
import { AppConfig } from "../../src/config.ts"
import { type Caller, type Mode, modes } from "../../src/domain/Caller.ts"
import { openedRules } from "../support/openedRules.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { caller, type CallOverrides } from "../support/assessCall.ts"
import { scaled, seed } from "../support/depth.ts"
import { jsonOf, listOf } from "../support/jsonOf.ts"
import { assess } from "../support/useCase.ts"

/** The real scorer, because its answers reveal the history. */
const stack = Layer.mergeAll(Assess.layer, Assessments.layer).pipe(
  Layer.provide(Scorer.layer.pipe(Layer.provide(openedRules))),
  Layer.provide(AppConfig.layerFrom({})),
  Layer.provideMerge(TestDatabase.layer)
)

const owners: ReadonlyArray<{ readonly place: number; readonly mode: Mode }> = [0, 1, 2, 3].flatMap((place) =>
  modes.map((mode) => ({ place, mode }))
)

/** The same few names, keys and destinations for everyone, so that whatever leaks is noticed. */
const steps = fc.array(
  fc.record({
    owner: fc.nat(owners.length - 1),
    key: fc.option(fc.nat(2), { freq: 2 }),
    action: fc.record({
      entitiesAffected: fc.constantFrom(1, 40, 9_000),
      destination: fc.constantFrom("acme.example", "acne.example"),
      agentId: fc.constantFrom("a", "b"),
      actionType: fc.constantFrom("customer.update", "customer.export")
    })
  }),
  { minLength: 50, maxLength: 70 }
)

type Step = (typeof steps extends fc.Arbitrary<ReadonlyArray<infer A>> ? A : never) & object

/** The part that two runs have in common: everything but ids, times, measurements, and whether the entry is sealed yet. */
const comparable = (of: unknown): unknown =>
  JSON.parse(
    JSON.stringify(of, (name, value: unknown) =>
      /(?:_id|_at|_ms|digest|timing|organization|^sequence)$/.test(name) ? undefined : value
    )
  )

const ask = Effect.fnUntraced(function* (owner: Caller, { action, key }: Step) {
  const asked: CallOverrides = { caller: owner, action, idempotencyKey: key === null ? null : `key ${key}` }
  const told = yield* Effect.result(assess(asked))
  return Result.isFailure(told)
    ? { code: told.failure.code }
    : { replayed: told.success.replayed, ...jsonOf(told.success.body) }
})

/** Everything visible to an owner: each answer, the list, and the assessment of each id in the list. */
const viewOf = Effect.fnUntraced(function* (owner: Caller, mine: ReadonlyArray<Step>) {
  const { get, list } = yield* Assessments
  const told = yield* Effect.forEach(mine, (step) => ask(owner, step))
  const { body } = yield* list(owner, { limit: 100, cursor: null, q: null }, "req_1")
  const { data } = listOf(body)
  const ids = data.map(({ assessment_id }) => assessment_id)
  const stored = yield* Effect.forEach(ids, (id) => Effect.map(get(owner, id), (one) => jsonOf(one.body)))
  const whole = stored.every(({ status }) => status !== "incomplete")
  return { owner, ids, whole, seen: comparable({ told, list: data, stored }) }
})

/** A busy machine may not read history in time. The answers then say so, and the run is repeated, since it proves nothing. */
const wholly = <E, R>(views: Effect.Effect<ReadonlyArray<Effect.Success<ReturnType<typeof viewOf>>>, E, R>) =>
  Effect.repeat(views, { until: (all) => all.every(({ whole }) => whole), times: 20 })

layer(stack, { excludeTestServices: true })("organizations and modes", (it) => {
  it.effect(`see the same as if they were alone, and nothing of each other; seed ${seed}`, () =>
    Effect.gen(function* () {
      const newOwners = () => {
        const ids = [0, 1, 2, 3].map(() => caller().organizationId)
        return owners.map(({ mode, place }) => caller({ organizationId: ids[place] ?? "", mode }))
      }
      for (const plan of fc.sample(steps, { numRuns: scaled(1, 100), seed })) {
        const partOf = (place: number) => plan.filter(({ owner }) => owner === place)
        const views = (concurrency: number) =>
          wholly(
            Effect.suspend(() =>
              Effect.forEach(newOwners(), (owner, place) => viewOf(owner, partOf(place)), { concurrency })
            )
          )
        const crowd = yield* views(owners.length)
        const alone = yield* views(1)
        expect(crowd.map(({ seen }) => seen)).toEqual(alone.map(({ seen }) => seen))
        for (const [place, { owner }] of crowd.entries()) {
          for (const id of crowd[(place + 1) % crowd.length]?.ids ?? []) {
            const { get } = yield* Assessments
            expect(yield* Effect.flip(get(owner, id))).toMatchObject({ code: "NOT_FOUND" })
          }
        }
      }
    })
  )
})
