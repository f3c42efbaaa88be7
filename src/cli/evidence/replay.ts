/** `action-risk evidence replay`: recomputes stored assessments from their evidence, and reports every difference. */

import { Effect, Layer, Schema, Stream } from "effect"
import { Erasures } from "../../evidence/Erasures.ts"
import { allTime, storedEvidence } from "../../evidence/exportEvidence.ts"
import { replayAssessment, type ReplayResult } from "../../evidence/replay.ts"
import { replaysShown, storageTotalMsMax } from "../../limits.ts"
import { packageRoot } from "../../rules/files/readTree.ts"
import { recordedRules } from "../../rules/history/recordedRules.ts"
import type { Owner } from "../../storage/assessments/AssessmentRecord.ts"
import { AssessmentRecords } from "../../storage/assessments/AssessmentRecords.ts"
import { ownerOf, Stores } from "../Stores.ts"
import { lines, type Terminal } from "../Terminal.ts"
import { refuse, wrongFlag } from "../commandFailures.ts"
import { assessmentIds, databaseSettings, ownerFlags, switchFlag } from "../flags.ts"
import { int, list, members, nullOr, ownerFields, string } from "../jsonShapes.ts"
import { withProgress } from "../progress.ts"
import { counted } from "../texts.ts"
import { verb } from "../verb.ts"

const Difference = members({
  path: string("The path in the answer, such as `action_risk.score`."),
  stored: nullOr(Schema.String, "The stored value as JSON; null if it is missing."),
  again: nullOr(Schema.String, "The value computed now, likewise.")
})

const ReplayedAssessment = members({
  assessmentId: Schema.String,
  problem: nullOr(Schema.String, "Why it could not be recomputed; null if it could."),
  differences: Schema.Array(Difference)
})

export const evidenceReplayShape = members({
  ok: Schema.Boolean,
  ...ownerFields,
  replayed: int("Assessments that were checked."),
  equal: int("Those with the same answer, byte for byte, except for ids and times."),
  different: Schema.Int,
  impossible: int("Those that could not be recomputed."),
  erased: int("Erased ones, with `--all`: no evidence is left to recompute them from."),
  first: list(ReplayedAssessment, "The first 20 that are not equal.")
})

const namedEvidence = (owner: Owner, ids: ReadonlyArray<string>) =>
  Stream.mapEffect(Stream.fromIterable(ids), (id) =>
    Effect.gen(function* () {
      const stored = yield* AssessmentRecords.use(({ find }) => find(owner, id, storageTotalMsMax))
      if (stored !== undefined) return stored
      const erased = yield* Erasures.use(({ count }) => count(owner, [id]))
      const why = erased > 0 ? "was erased" : `does not exist in ${owner.mode} mode`
      return yield* refuse(`assessment \`${id}\` ${why}`)
    })
  )

const stores = Layer.mergeAll(AssessmentRecords.layer, Erasures.layer).pipe(Layer.provideMerge(Stores))

export const replay = verb({
  about: "Recompute stored assessments from their evidence, with the rules that they name",
  takes: {
    ids: assessmentIds,
    all: switchFlag("all", "Every assessment of the organization in this mode"),
    ...ownerFlags
  },
  prints: evidenceReplayShape,
  fails: "an answer differs or cannot be recomputed, or there is no such assessment",
  reads: databaseSettings,
  examples: {
    "01a1faa8-096b-732a-8637-7ff3434a9d23 --org acme --mode live":
      "One assessment, as GET /api/v1/assessments/{id} names it",
    "--all --org acme --mode live --json": "All of them, for scripts"
  },
  run: Effect.fnUntraced(
    function* ({ all, ids, mode, org }) {
      const owner = yield* ownerOf(org, mode)
      const rules = recordedRules(packageRoot)
      const erased = all ? yield* Erasures.use(({ count }) => count(owner)) : 0
      const replayed = yield* withProgress({ title: "replay", unit: "assessments" }, ({ at }) => {
        let seen = 0
        return Stream.runFold(
          all ? storedEvidence(owner, allTime) : namedEvidence(owner, ids),
          (): Replayed => ({ ...noReplays, erased }),
          (so, stored) => {
            at(++seen, null)
            return countReplay(so, replayAssessment(stored, rules))
          }
        )
      })
      return {
        json: () => ({
          ...replayed,
          ok: isEqual(replayed),
          organization: org,
          mode,
          replayed: replayed.equal + replayed.different + replayed.impossible
        }),
        text: (screen: Terminal) => renderReplayed(screen, replayed),
        ok: isEqual(replayed)
      }
    },
    (effect, { all, ids }) =>
      // Checks the arguments before it opens a database.
      Effect.andThen(
        all === ids.length > 0 ? Effect.fail(eitherOr) : Effect.void,
        Effect.provide(effect, stores)
      )
  )
})

const eitherOr = wrongFlag("all", "", "given where no assessment ids are, and left out where they are")

const noReplays = { equal: 0, different: 0, impossible: 0, erased: 0, first: [] }

type Replayed = Pick<typeof evidenceReplayShape.Type, keyof typeof noReplays>

const countReplay = (so: Replayed, replay: ReplayResult): Replayed => {
  if (replay.problem === null && replay.differences.length === 0) return { ...so, equal: so.equal + 1 }
  const kind = replay.problem === null ? "different" : "impossible"
  return { ...so, [kind]: so[kind] + 1, first: [...so.first, replay].slice(0, replaysShown) }
}

const isEqual = ({ different, impossible }: Replayed): boolean => different + impossible === 0

const renderReplayed = ({ color }: Terminal, replayed: Replayed): string => {
  const { different, equal, erased, first, impossible } = replayed
  const rows = first.flatMap(({ assessmentId, differences, problem }) => [
    `  assessment ${assessmentId}${problem === null ? "" : `: ${problem}`}`,
    ...differences.map(
      ({ again, path, stored }) => `    ${path}: ${stored ?? "nothing"} stored, ${again ?? "nothing"} now`
    )
  ])
  return lines(
    `${color("green", "✓")} ${counted(equal, "assessment")} computed again, byte for byte`,
    different > 0 && `${color("red", "✗")} ${counted(different, "assessment")} came out differently`,
    impossible > 0 && `${color("red", "✗")} ${counted(impossible, "assessment")} cannot be computed again`,
    erased > 0 && `  ${counted(erased, "assessment")} erased, so no evidence is left to recompute them from`,
    rows
  ).join("\n")
}
