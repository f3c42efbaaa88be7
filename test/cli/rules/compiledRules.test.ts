/** A start without complete compiled rules next to the bundle reads the JSON and gives the same answers. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { actionRisk } from "../../support/actionRisk.ts"
import { lightCheckout } from "../../support/checkout.ts"

const request = "examples/requests/stripe-payout.json"

const answerIn = async (checkout: string) => {
  const { code, stderr, stdout } = await actionRisk(["assess", join(checkout, request), "--json"], {
    checkout
  })
  const { action_risk, blast_radius, recommended_control, risk_factors, summary } = JSON.parse(stdout)
  return { code, stderr, action_risk, blast_radius, recommended_control, risk_factors, summary }
}

const fresh = (): { readonly checkout: string; readonly compiled: (kind: string) => string } => {
  const folder = mkdtempSync(join(tmpdir(), "action-risk-compiled-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const checkout = lightCheckout(join(folder, "checkout"))
  const dist = join(checkout, "dist")
  return {
    checkout,
    compiled: (kind) =>
      join(
        dist,
        readdirSync(dist).find((name) => name.startsWith(`${kind}-`) && name.endsWith(".bin")) ?? kind
      )
  }
}

const spoilings: ReadonlyArray<readonly [string, (path: string) => void, RegExp]> = [
  [
    "with one byte changed",
    (path) => {
      const bytes = readFileSync(path)
      const at = bytes.length >> 1
      bytes[at] = (bytes[at] ?? 0) ^ 1
      writeFileSync(path, bytes)
    },
    /^action-risk: .*\.bin is damaged: the rules are read from their JSON, .*\n$/
  ],
  [
    "that is truncated",
    (path) => writeFileSync(path, readFileSync(path).subarray(0, -100)),
    /^action-risk: .*\.bin is damaged: the rules are read from their JSON, .*\n$/
  ],
  [
    "that is gone",
    (path) => rmSync(path),
    /^action-risk: rules\/releases\/.*\.json has no compiled form: .*\n$/
  ]
]

describe.each(["release", "lexicon"])("the compiled %s", (kind) => {
  it.each(spoilings)("%s changes no answer, and the start says so in one line", async (_, spoil, line) => {
    const { checkout, compiled } = fresh()
    const before = await answerIn(checkout)
    expect(before).toMatchObject({ code: 0, stderr: "" })
    spoil(compiled(kind))
    expect(await answerIn(checkout)).toEqual({ ...before, stderr: expect.stringMatching(line) })
  })
})
