/** `action-risk evidence erase`: takes away what was asked and answered, for good, and leaves the chain whole. */

import { Clock, Console, Effect, Layer, Option, Stream } from "effect"
import { Argument, CliError, Command, Flag } from "effect/cli"
import { sealWaiting } from "../../../assessment/sealEvidence.ts"
import { type Selection, selectErasable } from "../../../assessment/evidence/selectErasable.ts"
import { Eraser } from "../../../storage/Eraser.ts"
import { Erasures } from "../../../storage/Erasures.ts"
import { EvidenceKey } from "../../../storage/EvidenceKey.ts"
import { Seals } from "../../../storage/Seals.ts"
import { addErased, erasedJson, nothingErased, renderErased } from "../../evidence/erasedJson.ts"
import { namedForErasure } from "../../evidence/namedForErasure.ts"
import { Found } from "../../Found.ts"
import { durationMs } from "../../options/duration.ts"
import { json } from "../../options/json.ts"
import { mode } from "../../options/mode.ts"
import { org, organizationOf } from "../../options/organization.ts"
import { withProgress } from "../../progress.ts"
import { terminal } from "../../render/Sheet.ts"
import { Stores } from "../../Stores.ts"
import { wrongUsage } from "../../wrongUsage.ts"

const work = { title: "erase", unit: "assessments" }

const given = Option.getOrNull

export const erase = Command.make(
  "erase",
  {
    ids: Argument.String("assessment id").pipe(
      Argument.withDescription("Which assessments"),
      Argument.variadic()
    ),
    org,
    mode,
    olderThan: durationMs("older-than").pipe(
      Flag.withDescription("Those that were assessed longer ago than this"),
      Flag.optional
    ),
    agent: Flag.String("agent").pipe(
      Flag.withDescription("Those with exactly this agent_id"),
      Flag.withMetavar("agent_id"),
      Flag.optional
    ),
    containing: Flag.String("containing").pipe(
      Flag.withDescription(
        "Those whose request holds this text in any value, in any case, metadata and context with their keys too"
      ),
      Flag.withMetavar("text"),
      Flag.optional
    ),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Say how many there are, and erase nothing"),
      Flag.withDefault(false),
      Flag.withoutNegation
    ),
    json
  },
  Effect.fnUntraced(
    function* ({ dryRun, ids, json, mode, org, ...filters }) {
      const olderThanMs = given(filters.olderThan)
      const selection: Selection = {
        before:
          olderThanMs === null
            ? null
            : new Date((yield* Clock.currentTimeMillis) - olderThanMs).toISOString(),
        agent: given(filters.agent),
        containing: given(filters.containing)
      }
      for (const flag of ["agent", "containing"] as const) {
        if (selection[flag] === "") return yield* wrongUsage("evidence erase", needsText(flag))
      }
      const filtered = Object.values(selection).some((filter) => filter !== null)
      if (filtered === ids.length > 0) return yield* wrongUsage("evidence erase", eitherOr)
      const { id } = yield* organizationOf(org)
      const owner = { organizationId: id, mode }
      // As the service would within a second, so that what was just asked waits for nothing but its time.
      yield* sealWaiting(mode)
      const eraser = yield* Eraser
      const reason =
        olderThanMs !== null && selection.agent === null && selection.containing === null
          ? "retention"
          : "request"
      const pages = filtered
        ? selectErasable(owner, selection)
        : Stream.fromIterable(yield* namedForErasure(owner, ids))
      const erased = yield* withProgress(work, ({ at }) =>
        Stream.runFoldEffect(
          pages,
          () => nothingErased,
          Effect.fnUntraced(function* (so, page) {
            const found = page.filter(({ erasable }) => erasable).map(({ assessmentId }) => assessmentId)
            const erased = dryRun || found.length === 0 ? 0 : yield* eraser.erase(owner, found, reason)
            const next = addErased(so, found, erased, page.length - found.length)
            at(next.found, null)
            return next
          })
        )
      )
      if (!dryRun) yield* eraser.forgetCounts(owner)
      const asked = { organization: org, mode, reason, dryRun } as const
      yield* Console.log(
        json ? JSON.stringify(erasedJson(asked, erased)) : renderErased(terminal(), asked, erased)
      )
      if (erased.waiting > 0) return yield* new Found()
    },
    Effect.provide(
      Layer.mergeAll(Erasures.layer, Seals.layer, Eraser.layer.pipe(Layer.provide(EvidenceKey.layer))).pipe(
        Layer.provideMerge(Stores)
      )
    )
  )
).pipe(
  Command.withDescription(
    "Erase what is stored of assessments, for good, on request or by age; the chain of evidence stays whole"
  ),
  Command.withExamples([
    {
      command: "action-risk evidence erase --org acme --mode live --containing jane@example.com --dry-run",
      description: "What is stored of somebody who asks; without --dry-run it is erased"
    },
    {
      command: "action-risk evidence erase 01a1faa8-096b-732a-8637-7ff3434a9d23 --org acme --mode live",
      description: "One assessment, as GET /api/v1/assessments/{id} names it"
    },
    {
      command: "action-risk evidence erase --org acme --mode live --older-than 365d --json",
      description: "Retention, every night"
    }
  ])
)

const needsText = (option: "agent" | "containing") =>
  new CliError.InvalidValue({
    option,
    value: "",
    expected: "text to look for; nothing is in everything",
    kind: "flag"
  })

const eitherOr = new CliError.InvalidValue({
  option: "older-than",
  value: "",
  expected: "given instead of assessment ids, or --agent, --containing, or ids instead of all of these",
  kind: "flag"
})
