import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { AppConfig } from "../../src/config.ts"
import { EvidenceKey } from "../../src/evidence/EvidenceKey.ts"
import { isCheckpointSigned, publicKeyText, signCheckpoint } from "../../src/evidence/chain.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "action-risk-evidence-key-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const keyWith = (env: Record<string, string>) =>
  EvidenceKey.pipe(
    Effect.provide(Layer.fresh(EvidenceKey.layer).pipe(Layer.provide(AppConfig.layerFrom(env))))
  )

const milestone = {
  organizationId: "d7959ddd-eac2-451a-acdc-888842834652",
  mode: "live" as const,
  sequence: 7,
  entryDigest: "ab".repeat(32),
  at: "2026-11-20T12:00:00.000Z"
}

/** RFC 8032, section 7.1, test 1. */
const seed = "nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A="
const publicHex = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"

describe("the key of checkpoints", () => {
  it.effect("is generated once in DATA_DIR, readable by its owner only", () =>
    Effect.gen(function* () {
      const DATA_DIR = join(yield* folder, "new")
      const [one, two] = [yield* keyWith({ DATA_DIR }), yield* keyWith({ DATA_DIR })]
      expect(one.publicKey.equals(two.publicKey)).toBe(true)
      expect(statSync(join(DATA_DIR, "evidence-key")).mode & 0o777).toBe(0o600)
    })
  )

  it.effect("is the operator's key if one is set, with the public key that the standard derives", () =>
    Effect.gen(function* () {
      const { publicKey } = yield* keyWith({ DATABASE_URL: "postgres://h/d", EVIDENCE_KEY: seed })
      expect(Buffer.from(publicKeyText(publicKey), "base64").toString("hex")).toBe(
        `302a300506032b6570032100${publicHex}`
      )
    })
  )

  it.effect("is never generated with an external database, and a damaged one is not replaced", () =>
    Effect.gen(function* () {
      const DATA_DIR = yield* folder
      const unset = yield* Effect.flip(keyWith({ DATA_DIR, DATABASE_URL: "postgres://h/d" }))
      expect(unset.message).toMatch(/^EVIDENCE_KEY is unset/)
      writeFileSync(join(DATA_DIR, "evidence-key"), "\n")
      expect((yield* Effect.flip(keyWith({ DATA_DIR }))).message).toContain("restore it")
    })
  )
})

describe("a checkpoint", () => {
  it.effect("has a valid signature only while it is unchanged, and only by its own key", () =>
    Effect.gen(function* () {
      const pair = yield* keyWith({ DATABASE_URL: "postgres://h/d", EVIDENCE_KEY: seed })
      const other = yield* keyWith({ DATA_DIR: yield* folder })
      const signed = signCheckpoint(milestone, pair)
      expect(isCheckpointSigned(signed)).toBe(true)
      expect(isCheckpointSigned(signed, pair.publicKey)).toBe(true)
      expect(isCheckpointSigned(signed, other.publicKey)).toBe(false)
      const changes = {
        organizationId: "e",
        mode: "test" as const,
        sequence: 6,
        entryDigest: "ac".repeat(32),
        at: "2026-11-20T12:00:00.001Z",
        publicKey: "AAAA",
        signature: "AAAA"
      }
      for (const [name, value] of Object.entries(changes))
        expect([name, isCheckpointSigned({ ...signed, [name]: value })]).toEqual([name, false])
    })
  )
})
