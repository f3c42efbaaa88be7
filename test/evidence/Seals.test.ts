import { expect, layer } from "@effect/vitest"
import canonicalize from "canonicalize"
import { Context, Effect, Layer } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { createHash, randomUUID } from "node:crypto"
import { SealedEvidence } from "../../src/evidence/SealedEvidence.ts"
import { Seals, unsealedGauge } from "../../src/evidence/Seals.ts"
import { prometheusName } from "../../src/metrics.ts"
import { ModeSql } from "../../src/storage/sql/Sql.ts"
import { LiveSql, TestSql } from "../support/modeSql.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { caller } from "../support/assessCall.ts"
import { assess, useCase } from "../support/useCase.ts"

const sha256 = (...parts: ReadonlyArray<Uint8Array | string>) => {
  const hash = createHash("sha256")
  for (const part of parts) hash.update(part)
  return hash.digest("hex")
}

interface Sealed {
  readonly assessment_id: string
  readonly created_at: string
  readonly sequence: number
  readonly previous_digest: string
  readonly entry_digest: string
  readonly salt: Uint8Array
  readonly input: Uint8Array
  readonly response: Uint8Array
  readonly behavior_snapshot: Uint8Array | null
  readonly rules_digest: string
  readonly policy_digest: string
}

const chainOf = Effect.fnUntraced(function* (organizationId: string) {
  const sql = yield* TestSql
  return yield* sql<Sealed>`
    SELECT assessment_id, sequence::float8, encode(previous_digest, 'hex') AS previous_digest,
      encode(entry_digest, 'hex') AS entry_digest, salt, input, response, behavior_snapshot,
      encode(rules_digest, 'hex') AS rules_digest, encode(policy_digest, 'hex') AS policy_digest,
      to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS created_at
    FROM assessments JOIN seals USING (organization_id, assessment_id)
    WHERE organization_id = ${organizationId} ORDER BY sequence
  `
})

/** The digest of an entry by its definition, sharing nothing with what wrote it. */
const expectedDigest = (organizationId: string, row: Sealed): string => {
  const leaf = (bytes: Uint8Array) => sha256(row.salt, Buffer.from(sha256(bytes), "hex"))
  return sha256(
    canonicalize({
      organization_id: organizationId,
      mode: "test",
      sequence: row.sequence,
      previous_digest: row.previous_digest,
      assessment_id: row.assessment_id,
      created_at: row.created_at,
      input_leaf: leaf(row.input),
      result_leaf: leaf(row.response),
      snapshot_leaf: leaf(row.behavior_snapshot ?? new Uint8Array()),
      rules_digest: row.rules_digest,
      policy_digest: row.policy_digest
    }) ?? ""
  )
}

const sealAll = Effect.fnUntraced(function* (rowsMax: number) {
  const { seal } = yield* Seals
  yield* seal("test", rowsMax).pipe(Effect.repeat({ while: (sealed) => sealed > 0 }))
})

layer(Seals.layer.pipe(Layer.provideMerge(useCase())))("seals", (it) => {
  it.effect("form one chain per organization, in batches of any size", () =>
    Effect.gen(function* () {
      const callers = [caller(), caller()]
      for (let n = 0; n < 5; n++) {
        for (const [place, one] of callers.entries()) {
          yield* assess({ caller: one, drill: (n + place) % 3 === 0 ? "incomplete" : null })
        }
        if (n === 2) yield* sealAll(2)
      }
      yield* sealAll(3)
      for (const { organizationId } of callers) {
        const chain = yield* chainOf(organizationId)
        expect(chain.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5])
        expect(chain.map((row) => row.entry_digest)).toEqual(
          chain.map((row) => expectedDigest(organizationId, row))
        )
        expect(chain.map((row) => row.previous_digest)).toEqual([
          "00".repeat(32),
          ...chain.slice(0, -1).map((row) => row.entry_digest)
        ])
      }
    })
  )

  it.effect(
    "are waited for by what was assessed: how many are told, up to a limit, and since when the oldest waits",
    () =>
      Effect.gen(function* () {
        const one = caller()
        const waiting = (rowsMax: number) => SealedEvidence.use((evidence) => evidence.waiting(one, rowsMax))
        expect(yield* waiting(10)).toEqual({ count: 0, oldestMs: 0 })
        for (let n = 0; n < 3; n++) yield* assess({ caller: one })
        yield* assess({ caller: caller() })
        expect((yield* waiting(2)).count).toBe(2)
        const { count, oldestMs } = yield* waiting(10)
        expect(count).toBe(3)
        expect(oldestMs).toBeGreaterThan(0)
        yield* sealAll(10)
        expect(yield* waiting(10)).toEqual({ count: 0, oldestMs: 0 })
      }).pipe(Effect.provide(SealedEvidence.layer))
  )

  it.effect("are made once even if several processes seal at the same time", () =>
    Effect.gen(function* () {
      const one = caller()
      for (let n = 0; n < 30; n++) yield* assess({ caller: one })
      yield* Effect.all([sealAll(4), sealAll(5), sealAll(6)], { concurrency: 3 })
      yield* sealAll(100)
      const chain = yield* chainOf(one.organizationId)
      expect(chain.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1))
    })
  )

  it.effect("are never changed by the role that made them", () =>
    Effect.gen(function* () {
      const sql = (yield* ModeSql).for("test")
      for (const statement of ["UPDATE seals SET sequence = 9", "DELETE FROM seals", "TRUNCATE seals"]) {
        expect(yield* Effect.flip(sql.unsafe(statement))).toBeDefined()
      }
    })
  )
})

layer(TestDatabase.layer, { excludeTestServices: true })("assessments that wait for their seal", (it) => {
  it.effect("are counted by a metric of each mode", () =>
    Effect.gen(function* () {
      const sql = yield* LiveSql
      for (const id of [randomUUID(), randomUUID()]) {
        yield* sql`INSERT INTO unsealed (organization_id, assessment_id) VALUES (${randomUUID()}, ${id})`
      }
      yield* Layer.build(unsealedGauge)
      const page = Effect.sync(() =>
        PrometheusMetrics.formatUnsafe(Context.empty(), { metricNameMapper: prometheusName })
      )
      yield* Effect.repeat(Effect.delay(page, 20), {
        until: (text) => text.includes('action_risk_seals_waiting{mode="live"} 2')
      })
      expect(yield* page).toContain('action_risk_seals_waiting{mode="test"} 0')
    }).pipe(Effect.scoped)
  )
})
