/** Takes a candidate through the gates, tells of each as it is passed, and freezes it behind the last one. */

import { Clock, Console, Effect, Result } from "effect"
import type { Candidate } from "../rules/release/Candidate.ts"
import { freeze } from "../rules/release/freeze.ts"
import type { Gate, ReleaseReport } from "../rules/release/ReleaseReport.ts"
import { releaseGates } from "../rules/release/releaseGates.ts"
import { Found } from "./Found.ts"
import { Refused } from "./Refused.ts"
import { renderEnding, renderGate } from "./render/release.ts"
import { terminal } from "./render/Sheet.ts"
import { releaseJson } from "./shapes/release.ts"

interface Options {
  readonly acceptLower: ReadonlyArray<string>
  readonly dryRun: boolean
  readonly json: boolean
}

const freezeNow = Effect.fnUntraced(function* (candidate: Candidate) {
  const draft = yield* Effect.fromResult(candidate.draft).pipe(Effect.orDie)
  const releasedAt = new Date(yield* Clock.currentTimeMillis).toISOString()
  return yield* Effect.fromResult(
    Result.mapError(
      freeze(candidate, candidate.document(draft, releasedAt)),
      (reason) => new Refused({ message: `nothing was released: ${reason}` })
    )
  )
})

export const passGates = Effect.fn("passGates")(function* (candidate: Candidate, options: Options) {
  const { name, newest } = candidate
  const sheet = terminal()
  const tell = (lines: ReadonlyArray<string>) => (options.json ? Effect.void : Console.log(lines.join("\n")))

  yield* tell([`Release ${sheet.ink("bold", name)}${newest === null ? "" : ` after ${newest}`}`, ""])
  const gates: Array<Gate> = []
  for (const ask of releaseGates(candidate, options.acceptLower)) {
    const gate = yield* Effect.promise(ask)
    gates.push(gate)
    yield* tell(renderGate(sheet, gate))
  }
  const ok = gates.every(({ outcome }) => outcome === "passed")
  const frozen = ok && !options.dryRun ? yield* freezeNow(candidate) : null
  const report: ReleaseReport = { ok, name, from: newest, gates, frozen }
  yield* tell(["", ...renderEnding(sheet, report)])
  if (options.json) yield* Console.log(JSON.stringify(releaseJson(report, options.dryRun), null, 2))
  if (!ok) return yield* new Found()
})
