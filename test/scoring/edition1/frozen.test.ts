/** Releases 1.0.0 and 1.1.0 answer as they always did, byte for byte. `npm run golden` does not write these digests: they never change. */

import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { encodeAssessment } from "../../../src/assessment/encode.ts"
import { isRecord } from "../../../src/json/json.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { loadPolicyVersion } from "../../../src/rules/policies/loadPolicySet.ts"
import { loadRelease } from "../../../src/rules/release/loadRelease.ts"
import { frozenCalls } from "../../support/frozenCalls.ts"
import { read } from "../../support/read.ts"
import frozen from "./frozen.json" with { type: "json" }

/** What is no part of the opinion. */
const unstamped = {
  riskEngineVersion: "1.0.0",
  policyVersion: "starter",
  assessmentId: "a",
  actionId: "b",
  requestId: "c",
  mode: "live",
  createdAtMicros: 0,
  timing: { total: 0, validation: 0, behavior: 0, scoring: 0, policy: 0 }
} as const

/** The names that a file of the lexicon gives its actions or its verbs. */
const namesIn = (json: unknown): ReadonlyArray<string> => {
  const { actions, verbs } = isRecord(json) ? json : {}
  const named = actions ?? verbs
  return isRecord(named) ? Object.keys(named) : ["unknown.thing"]
}

describe.each(Object.entries(frozen))("release %s", (version, digests) => {
  const { edition, files } = read(loadRelease(packageRoot, version))
  const { policySet } = read(loadPolicyVersion(packageRoot, "starter", version))

  it.each(Object.entries(digests))("answers every action of %s as it always did", (name, digest) => {
    const hash = createHash("sha256")
    const file = files.lexicon.find((one) => one.name === name)
    for (const { action, behavior } of frozenCalls(namesIn(file?.json), 20261122))
      hash.update(JSON.stringify(encodeAssessment(edition.score(action, behavior, policySet), unstamped)))
    expect(hash.digest("hex")).toBe(digest)
  })

  it("is of the first edition", () => {
    expect(edition.number).toBe(1)
    expect(edition.engineVersion).toBe("1.0.0")
  })
})
