/** What a replay of many assessments comes to, as JSON and as text. */

import type { Replay } from "../../assessment/evidence/replay.ts"
import type { Mode } from "../../domain/Mode.ts"
import { replaysShown } from "../../Limits.ts"
import type { Sheet } from "../render/Sheet.ts"
import type { evidenceReplayShape } from "../shapes/evidence/replay.ts"

export interface Replayed {
  readonly equal: number
  readonly different: number
  readonly impossible: number
  /** Of those that were asked for; not looked at. */
  readonly erased: number
  /** The first of them that did not come out equal. */
  readonly first: ReadonlyArray<Replay>
}

export const noReplays: Replayed = { equal: 0, different: 0, impossible: 0, erased: 0, first: [] }

export const countReplay = (so: Replayed, replay: Replay): Replayed => {
  if (replay.problem === null && replay.differences.length === 0) return { ...so, equal: so.equal + 1 }
  return {
    ...so,
    different: so.different + (replay.problem === null ? 1 : 0),
    impossible: so.impossible + (replay.problem === null ? 0 : 1),
    first: so.first.length < replaysShown ? [...so.first, replay] : so.first
  }
}

export const isEqual = ({ different, impossible }: Replayed): boolean => different + impossible === 0

export const replayedJson = (
  organization: string,
  mode: Mode,
  replayed: Replayed
): typeof evidenceReplayShape.Encoded => {
  const { different, equal, erased, first, impossible } = replayed
  return {
    ok: isEqual(replayed),
    organization,
    mode,
    replayed: equal + different + impossible,
    equal,
    different,
    impossible,
    erased,
    first: first.map(({ assessmentId, differences, problem }) => ({
      assessment_id: assessmentId,
      problem,
      differences
    }))
  }
}

const count = (many: number, what: string): string =>
  `${many.toLocaleString("en-US")} ${many === 1 ? "assessment" : "assessments"} ${what}`

export const renderReplayed = ({ ink }: Sheet, replayed: Replayed): string => {
  const { different, equal, erased, first, impossible } = replayed
  const rows = first.flatMap(({ assessmentId, differences, problem }) => [
    `  assessment ${assessmentId}${problem === null ? "" : `: ${problem}`}`,
    ...differences.map(
      ({ again, path, stored }) => `    ${path}: ${stored ?? "nothing"} stored, ${again ?? "nothing"} now`
    )
  ])
  return [
    `${ink("green", "✓")} ${count(equal, "computed again, byte for byte")}`,
    ...(different === 0 ? [] : [`${ink("red", "✗")} ${count(different, "came out otherwise")}`]),
    ...(impossible === 0 ? [] : [`${ink("red", "✗")} ${count(impossible, "cannot be computed again")}`]),
    ...(erased === 0 ? [] : [`  ${count(erased, "erased, with nothing left to compute from")}`]),
    ...rows
  ].join("\n")
}
