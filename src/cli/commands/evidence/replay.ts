/** `action-risk evidence replay`: stored assessments computed again, and what came out otherwise. */

import { Console, Effect, Layer, Stream } from "effect"
import { Argument, CliError, Command, Flag } from "effect/cli"
import { replay as replayOne } from "../../../assessment/evidence/replay.ts"
import { always, storedEvidence } from "../../../assessment/evidence/storedEvidence.ts"
import { storageTotalMsMax } from "../../../Limits.ts"
import { packageRoot } from "../../../rules/packageRoot.ts"
import { recordedRules } from "../../../rules/recordedRules.ts"
import type { Owner } from "../../../storage/AssessmentRecord.ts"
import { AssessmentRecords } from "../../../storage/AssessmentRecords.ts"
import { Erasures } from "../../../storage/Erasures.ts"
import { asUuid } from "../../../storage/assessmentId.ts"
import { countReplay, isEqual, noReplays, renderReplayed, replayedJson } from "../../evidence/replayed.ts"
import { Found } from "../../Found.ts"
import { json } from "../../options/json.ts"
import { mode } from "../../options/mode.ts"
import { org, organizationOf } from "../../options/organization.ts"
import { withProgress } from "../../progress.ts"
import { Refused } from "../../Refused.ts"
import { terminal } from "../../render/Sheet.ts"
import { Stores } from "../../Stores.ts"
import { wrongUsage } from "../../wrongUsage.ts"

const namedEvidence = (owner: Owner, ids: ReadonlyArray<string>) =>
  Stream.mapEffect(Stream.fromIterable(ids), (id) =>
    Effect.gen(function* () {
      const assessmentId = asUuid(id)
      const { find } = yield* AssessmentRecords
      const stored =
        assessmentId === undefined ? undefined : yield* find(owner, assessmentId, storageTotalMsMax)
      if (stored !== undefined) return stored
      const erased =
        assessmentId !== undefined && (yield* Erasures.use(({ count }) => count(owner, [assessmentId]))) > 0
      const why = erased ? "was erased" : `does not exist in ${owner.mode} mode`
      return yield* new Refused({ message: `assessment \`${id}\` ${why}` })
    })
  )

export const replay = Command.make(
  "replay",
  {
    ids: Argument.String("assessment id").pipe(
      Argument.withDescription("Which assessments"),
      Argument.variadic()
    ),
    all: Flag.Boolean("all").pipe(
      Flag.withDescription("Every assessment of the organization in this mode"),
      Flag.withDefault(false),
      Flag.withoutNegation
    ),
    org,
    mode,
    json
  },
  Effect.fnUntraced(
    function* ({ all, ids, json, mode, org }) {
      if (all === ids.length > 0) return yield* wrongUsage("evidence replay", eitherOr)
      const { id } = yield* organizationOf(org)
      const owner = { organizationId: id, mode }
      const rules = recordedRules(packageRoot)
      const erased = all ? yield* Erasures.use(({ count }) => count(owner)) : 0
      const replayed = yield* withProgress({ title: "replay", unit: "assessments" }, ({ at }) => {
        let seen = 0
        return Stream.runFold(
          all ? storedEvidence(owner, always) : namedEvidence(owner, ids),
          () => ({ ...noReplays, erased }),
          (so, stored) => {
            at(++seen, null)
            return countReplay(so, replayOne(stored, rules))
          }
        )
      })
      yield* Console.log(
        json ? JSON.stringify(replayedJson(org, mode, replayed)) : renderReplayed(terminal(), replayed)
      )
      if (!isEqual(replayed)) return yield* new Found()
    },
    Effect.provide(Layer.mergeAll(AssessmentRecords.layer, Erasures.layer).pipe(Layer.provideMerge(Stores)))
  )
).pipe(
  Command.withDescription(
    "Compute stored assessments again from their evidence, with the rules that they name"
  ),
  Command.withExamples([
    {
      command: "action-risk evidence replay 01a1faa8-096b-732a-8637-7ff3434a9d23 --org acme --mode live",
      description: "One assessment, as GET /api/v1/assessments/{id} names it"
    },
    {
      command: "action-risk evidence replay --all --org acme --mode live --json",
      description: "All of them, for scripts"
    }
  ])
)

const eitherOr = new CliError.InvalidValue({
  option: "all",
  value: "",
  expected: "given instead of assessment ids, or ids instead of it",
  kind: "flag"
})
