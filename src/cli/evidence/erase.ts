/** `action-risk evidence erase`: permanently deletes requests and answers, and keeps the chain verifiable. */

import { Clock, Effect, Layer, Schema, Stream } from "effect"
import { Eraser } from "../../evidence/Eraser.ts"
import { erasureReasons } from "../../evidence/Erasure.ts"
import { Erasures, selectErasable } from "../../evidence/Erasures.ts"
import { EvidenceKey } from "../../evidence/EvidenceKey.ts"
import { Seals, sealUnsealed } from "../../evidence/Seals.ts"
import { eraseBatchMax, erasuresShown } from "../../limits.ts"
import type { Owner } from "../../storage/assessments/AssessmentRecord.ts"
import { sqlState, tookTooLong } from "../../storage/storageErrors.ts"
import { ownerOf, Stores } from "../Stores.ts"
import { lines, type Terminal } from "../Terminal.ts"
import { CommandRefused, refuse, wrongFlag } from "../commandFailures.ts"
import { assessmentIds, durationMsFlag, elseNull, ownerFlags, switchFlag, textFlag } from "../flags.ts"
import { int, list, literals, members, ownerFields } from "../jsonShapes.ts"
import { withProgress } from "../progress.ts"
import { counted } from "../texts.ts"
import { verb } from "../verb.ts"

export const evidenceEraseShape = members({
  ...ownerFields,
  reason: literals(erasureReasons, "The recorded reason: `retention` if only `--older-than` was given."),
  dryRun: Schema.Boolean,
  found: int("Selected assessments that can be erased."),
  erased: int("How many of them were erased; 0 with `--dry-run`."),
  waiting: int(
    "Selected assessments that are too new: running the command again after ten seconds erases them."
  ),
  first: list(Schema.String, "Ids of the first 20 that were found.")
})

const work = { title: "erase", unit: "assessments" }

const stores = Layer.mergeAll(
  Erasures.layer,
  Seals.layer,
  Eraser.layer.pipe(Layer.provide(EvidenceKey.layer))
).pipe(Layer.provideMerge(Stores))

interface Selected {
  readonly ids: ReadonlyArray<string>
  readonly agent: string | null
  readonly containing: string | null
  readonly olderThan: number | null
}

const checkSelection = Effect.fnUntraced(function* ({ agent, containing, ids, olderThan }: Selected) {
  for (const [flag, text] of Object.entries({ agent, containing }))
    if (text === "")
      return yield* wrongFlag(
        flag,
        "",
        "a search text that is not empty: the empty text matches every request"
      )
  if ([agent, containing, olderThan].some((filter) => filter !== null) === ids.length > 0)
    return yield* wrongFlag(
      "older-than",
      "",
      "given instead of assessment ids, or --agent, --containing, or ids instead of all of these"
    )
})

export const erase = verb({
  about: "Erase stored assessments for good, on request or by age; the chain of evidence stays verifiable",
  takes: {
    ids: assessmentIds,
    ...ownerFlags,
    olderThan: elseNull(durationMsFlag("older-than"), "Assessments older than this"),
    agent: elseNull(textFlag("agent", "agent_id"), "Assessments with exactly this agent_id"),
    containing: elseNull(
      textFlag("containing", "text"),
      "Assessments whose request contains this text, in upper or lower case, in any value, or in a key of metadata or context"
    ),
    dryRun: switchFlag("dry-run", "Count them without erasing anything")
  },
  prints: evidenceEraseShape,
  fails:
    "there is no such organization or assessment, or some are too new: running the command again after ten seconds erases those",
  examples: {
    "--org acme --mode live --containing jane@example.com --dry-run":
      "Count what is stored about a person; without --dry-run, erase it",
    "01a1faa8-096b-732a-8637-7ff3434a9d23 --org acme --mode live":
      "One assessment, as GET /api/v1/assessments/{id} names it",
    "--org acme --mode live --older-than 365d --json": "Retention, every night"
  },
  run: Effect.fnUntraced(
    function* ({ agent, containing, dryRun, ids, mode, olderThan: olderThanMs, org }) {
      const nowMs = yield* Clock.currentTimeMillis
      const before = olderThanMs === null ? null : new Date(nowMs - olderThanMs).toISOString()
      const owner = yield* ownerOf(org, mode)
      let erasedBefore = 0
      const tooLong = (doing: string) => tellTooLong(doing, () => erasedBefore)
      // The service seals within a second. Sealing here ensures that even the newest assessments only have to reach their minimum age.
      yield* Effect.mapError(sealUnsealed(mode), tooLong("sealed the newest assessments"))
      const eraser = yield* Eraser
      const reason = before !== null && agent === null && containing === null ? "retention" : "request"
      const candidates =
        ids.length === 0
          ? Stream.mapError(
              selectErasable(owner, { before, agent, containing }),
              tooLong("searched for assessments to erase")
            )
          : Stream.fromIterable(yield* namedForErasure(owner, ids))
      // One transaction erases a group. A group may take several pages, because a page may contain few assessments of one agent.
      const groups = Stream.grouped(candidates, eraseBatchMax)
      const eraseFound = (found: ReadonlyArray<string>) =>
        Effect.mapError(eraser.erase(owner, found, reason), tooLong("erased a group of them"))
      const erased = yield* withProgress(work, ({ at }) =>
        Stream.runFoldEffect(
          groups,
          () => nothingErased,
          Effect.fnUntraced(function* (so, group) {
            const found = group.filter(({ erasable }) => erasable).map(({ assessmentId }) => assessmentId)
            const erased = dryRun || found.length === 0 ? 0 : yield* eraseFound(found)
            erasedBefore += erased
            const next = addErased(so, found, erased, group.length - found.length)
            at(next.found, null)
            return next
          })
        )
      )
      if (!dryRun) yield* Effect.mapError(eraser.forgetCounts(owner), tooLong("deleted old counts"))
      const erasure: Erasure = { organization: org, mode, reason, dryRun, ...erased }
      return {
        json: () => erasure,
        text: (screen: Terminal) => renderErased(screen, erasure),
        ok: erasure.waiting === 0
      }
    },
    // Checks the selection before it opens a database.
    (effect, selected) => Effect.andThen(checkSelection(selected), Effect.provide(effect, stores))
  )
})

/** Names the step that took the database too long, and the number of assessments erased before it. */
const tellTooLong =
  (doing: string, erased: () => number) =>
  <E>(error: E): E | CommandRefused =>
    tookTooLong(error)
      ? refuse(
          `the database timed out while this command ${doing}; ${counted(erased(), "assessment")} had been erased: run it again when the database has less to do (${sqlState(error) ?? "no answer"})`
        )
      : error

type Erasure = typeof evidenceEraseShape.Type
type Erased = Pick<Erasure, "found" | "erased" | "waiting" | "first">

const nothingErased: Erased = { found: 0, erased: 0, waiting: 0, first: [] }

const addErased = (so: Erased, found: ReadonlyArray<string>, erased: number, waiting: number): Erased => ({
  found: so.found + found.length,
  erased: so.erased + erased,
  waiting: so.waiting + waiting,
  first: [...so.first, ...found.slice(0, erasuresShown - so.first.length)]
})

const renderErased = (
  { color }: Terminal,
  { dryRun, erased, first, found, mode, organization, waiting }: Erasure
): string =>
  lines(
    dryRun
      ? `${counted(found, "assessment")} of ${organization}, ${mode}, would be erased`
      : `${color("green", "✓")} ${counted(erased, "assessment")} of ${organization}, ${mode}, erased`,
    dryRun && first.map((id) => `  ${id}`),
    dryRun &&
      found > first.length &&
      color("dim", `  and ${counted(found - first.length, "assessment")} more`),
    waiting > 0 &&
      `${color("red", "✗")} ${counted(waiting, "assessment")} more ${waiting === 1 ? "is" : "are"} too new: run it again in ten seconds`
  ).join("\n")

/**
 * The named assessments. Refuses at the first id that does not exist or is too new, so that typing errors are found before anything is
 * erased.
 */
const namedForErasure = Effect.fnUntraced(function* (owner: Owner, ids: ReadonlyArray<string>) {
  const erasures = yield* Erasures
  const stored = yield* Effect.forEach(
    new Set(ids),
    Effect.fnUntraced(function* (id) {
      const [candidate] = yield* erasures.named(owner, [id])
      // It was erased before, so naming it again is not a mistake.
      if (candidate === undefined && (yield* erasures.count(owner, [id])) > 0) return []
      if (candidate === undefined)
        return yield* refuse(`there is no assessment \`${id}\` in ${owner.mode} mode`)
      if (!candidate.erasable)
        return yield* refuse(
          `assessment \`${id}\` is too new to be erased, so none was: run it again in ten seconds`
        )
      return [candidate]
    })
  )
  return stored.flat()
})
