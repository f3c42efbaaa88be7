import fc from "fast-check"
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { loadPolicySet } from "../../../src/rules/policies/loadPolicySet.ts"
import type { PolicySet } from "../../../src/scoring/Model.ts"
import { question } from "../../support/arbitrary/question.ts"
import { propertyRuns, timeoutMs } from "../../support/depth.ts"
import { model } from "../../support/draft.ts"
import { freezePolicies } from "../../support/freezeIn.ts"
import type { Asked } from "../../support/opine.ts"
import { policySetOf } from "../../support/policySetOf.ts"
import { rulesFolder } from "../../support/rulesFolder.ts"
import { score } from "../../../src/scoring/score.ts"

type Damage = (bytes: Buffer) => Buffer

/** One possible corruption of a file: a changed, missing or extra byte, or a lost end. */
const damage: fc.Arbitrary<Damage> = fc
  .record({
    kind: fc.constantFrom("changed", "missing", "added", "truncated"),
    at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    byte: fc.integer({ min: 0, max: 255 })
  })
  .map(({ at, byte, kind }) => (bytes) => {
    const place = Math.floor(at * bytes.length)
    const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)]
    const rest = kind === "truncated" ? Buffer.alloc(0) : kind === "added" ? after : after.subarray(1)
    const put = kind === "changed" || kind === "added" ? [byte] : []
    return Buffer.concat([before, Buffer.from(put), rest])
  })

const none = policySetOf([])

/** Whether an opinion is incomplete and no lower than without the set and with the intact set. */
const isAtItsWorst = (damaged: PolicySet, whole: PolicySet, asked: Asked): boolean => {
  const opine = (policies: PolicySet) => score(asked.action, asked.behavior, model, policies)
  const { actionRisk, complete, riskFactors } = opine(damaged)
  return (
    !complete &&
    riskFactors.some(({ code }) => code === "POLICY_EVALUATION_INCOMPLETE") &&
    actionRisk.score >= opine(whole).actionRisk.score &&
    actionRisk.score >= opine(none).actionRisk.score
  )
}

const runs = Math.min(propertyRuns, 250)

/** Corrupts one of `files`, loads the set, and restores the file. */
const spoilt = (folder: ReturnType<typeof rulesFolder>, file: string, spoil: Damage) => {
  const text = folder.readText(file)
  const [before, after] = [Buffer.from(text), spoil(Buffer.from(text))]
  writeFileSync(join(folder.root, file), after)
  const set = loadPolicySet(folder.root, "starter")
  writeFileSync(join(folder.root, file), before)
  return { set, isSame: before.equals(after) }
}

describe("a damaged policy set", () => {
  it(
    "with a damaged frozen file is always noticed, incomplete, and asks for no less",
    { timeout: timeoutMs(runs) },
    () => {
      const folder = rulesFolder()
      const file = freezePolicies(folder.root, "starter")
      const whole = loadPolicySet(folder.root, "starter").policySet
      const holds = fc.property(damage, question(), (spoil, asked) => {
        const { isSame, set } = spoilt(folder, file, spoil)
        return isSame || (set.findings.length > 0 && isAtItsWorst(set.policySet, whole, asked))
      })
      expect(fc.defaultReportMessage(fc.check(holds, { numRuns: runs }))).toBeUndefined()
    }
  )

  it(
    "in a folder is incomplete and no lower wherever a file of it cannot be read",
    { timeout: timeoutMs(runs) },
    () => {
      const folder = rulesFolder()
      const whole = loadPolicySet(folder.root, "starter").policySet
      const files = readdirSync(join(folder.root, "policies/starter"))
        .filter((name) => name.endsWith(".json") && !name.endsWith(".cases.json"))
        .map((name) => `policies/starter/${name}`)
      let noticed = 0
      const holds = fc.property(fc.constantFrom(...files), damage, question(), (file, spoil, asked) => {
        const { set } = spoilt(folder, file, spoil)
        if (set.findings.length === 0) return true
        noticed++
        return isAtItsWorst(set.policySet, whole, asked)
      })
      expect(fc.defaultReportMessage(fc.check(holds, { numRuns: runs }))).toBeUndefined()
      // The others hit words, or produced another number.
      expect(noticed).toBeGreaterThan(runs / 4)
    }
  )
})
