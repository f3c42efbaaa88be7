/** What an erasure, or a rehearsal of one, comes to, as JSON and as text. */

import type { Mode } from "../../domain/Mode.ts"
import { erasuresShown } from "../../Limits.ts"
import type { ErasureReason } from "../../storage/evidence/Erasure.ts"
import type { Sheet } from "../render/Sheet.ts"
import type { evidenceEraseShape } from "../shapes/evidence/erase.ts"

export interface Erased {
  /** Assessments that are meant and may be erased. */
  readonly found: number
  /** Those of them that this erasure took; another one at the same time may have taken the rest. */
  readonly erased: number
  /** Assessments that are meant and so new that they may not yet. */
  readonly waiting: number
  /** Ids of the first that were found. */
  readonly first: ReadonlyArray<string>
}

export const nothingErased: Erased = { found: 0, erased: 0, waiting: 0, first: [] }

export const addErased = (
  so: Erased,
  found: ReadonlyArray<string>,
  erased: number,
  waiting: number
): Erased => ({
  found: so.found + found.length,
  erased: so.erased + erased,
  waiting: so.waiting + waiting,
  first: [...so.first, ...found.slice(0, erasuresShown - so.first.length)]
})

interface Asked {
  readonly organization: string
  readonly mode: Mode
  readonly reason: ErasureReason
  readonly dryRun: boolean
}

export const erasedJson = (
  { dryRun, mode, organization, reason }: Asked,
  { erased, first, found, waiting }: Erased
): typeof evidenceEraseShape.Encoded => ({
  organization,
  mode,
  reason,
  dry_run: dryRun,
  found,
  erased,
  waiting,
  first
})

const count = (many: number): string =>
  `${many.toLocaleString("en-US")} ${many === 1 ? "assessment" : "assessments"}`

export const renderErased = (
  { ink }: Sheet,
  { dryRun, mode, organization }: Asked,
  { erased, first, found, waiting }: Erased
): string =>
  [
    dryRun
      ? `${count(found)} of ${organization}, ${mode}, would be erased`
      : `${ink("green", "✓")} ${count(erased)} of ${organization}, ${mode}, erased`,
    ...(dryRun ? first.map((id) => `  ${id}`) : []),
    ...(dryRun && found > first.length ? [ink("dim", `  and ${count(found - first.length)} more`)] : []),
    ...(waiting === 0
      ? []
      : [
          `${ink("red", "✗")} ${count(waiting)} more ${waiting === 1 ? "is" : "are"} too new: run it again in ten seconds`
        ])
  ].join("\n")
