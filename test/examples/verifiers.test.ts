/** The verifiers that docs/webhooks.md offers to copy agree on every delivery, each run by its own language. */

import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { verify } from "../../examples/webhook-receiver/verify.ts"
import { verifyWithLibrary } from "../../examples/webhook-receiver/verifyWithLibrary.ts"
import { type Delivery, eventId, makeDeliveries } from "./verifiers/deliveries.ts"

const here = join(import.meta.dirname, "verifiers")
const examples = join(import.meta.dirname, "../../examples/webhook-receiver")

type Answers = ReadonlyArray<string | null>

const inProcess =
  (verifier: typeof verify) =>
  (deliveries: ReadonlyArray<Delivery>): Answers =>
    deliveries.map(({ body, headers, secret }) => {
      try {
        return (verifier(secret, headers, Buffer.from(body, "base64")) as { readonly id: string }).id
      } catch {
        return null
      }
    })

const withPython = (deliveries: ReadonlyArray<Delivery>): Answers =>
  JSON.parse(
    execFileSync("python3", [join(here, "drive.py"), examples], {
      input: JSON.stringify(deliveries),
      encoding: "utf8"
    })
  )

/** As a program in a separate module, because a package cannot be run. */
const withGo = (deliveries: ReadonlyArray<Delivery>): Answers => {
  const folder = mkdtempSync(join(tmpdir(), "action-risk-go-"))
  try {
    writeFileSync(join(folder, "go.mod"), "module drive\n\ngo 1.18\n")
    cpSync(join(here, "drive.go"), join(folder, "drive.go"))
    cpSync(join(examples, "verify.go"), join(folder, "webhook/verify.go"))
    execFileSync("go", ["vet", "./..."], { cwd: folder })
    return JSON.parse(
      execFileSync("go", ["run", "."], { cwd: folder, input: JSON.stringify(deliveries), encoding: "utf8" })
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const runs = (program: string, ...args: ReadonlyArray<string>): boolean =>
  spawnSync(program, args).status === 0

const verifiers = [
  { name: "verify.ts", here: true, ask: inProcess(verify) },
  { name: "verifyWithLibrary.ts", here: true, ask: inProcess(verifyWithLibrary) },
  { name: "verify.py", here: runs("python3", "--version"), ask: withPython },
  { name: "verify.go", here: runs("go", "version"), ask: withGo }
].map((verifier) => ({
  ...verifier,
  title: verifier.here ? verifier.name : `${verifier.name} (not run: its language is not installed)`
}))

const named = (deliveries: Readonly<Record<string, Delivery>>, answers: Answers) =>
  Object.fromEntries(Object.keys(deliveries).map((name, at) => [name, answers[at]]))

describe.each(verifiers)("$title", ({ ask, here }) => {
  it.skipIf(!here)("takes what the service signed, and nothing else", { timeout: 120_000 }, () => {
    const { forged, genuine } = makeDeliveries()
    const all = { ...genuine, ...forged }
    const answered = named(all, ask(Object.values(all)))
    expect(answered).toEqual(
      Object.fromEntries(Object.keys(all).map((name) => [name, name in genuine ? eventId : null]))
    )
  })
})
