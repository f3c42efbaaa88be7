/** Verifies an export of evidence, from its bytes alone. */

import type { KeyObject } from "node:crypto"
import { historyLineBytesMax, sealLateMsMax, strayEntriesMax } from "../../Limits.ts"
import { type Block, wholeLines } from "../../rules/history/wholeLines.ts"
import { makeErasureProblem } from "../../storage/evidence/Erasure.ts"
import { linkProblem } from "../../storage/evidence/Link.ts"
import { type Break, type Milestone, walkChain } from "../../storage/evidence/walk.ts"
import { readExportLine, type Unsealed } from "./readExportLine.ts"
import type { Verification } from "./Verification.ts"

interface Line {
  readonly bytes: Uint8Array
  readonly number: number
}

const newline = 0x0a

/** Lines that hold anything. */
function* linesOf({ bytes, firstLine }: Block): Generator<Line> {
  let number = firstLine
  for (let start = 0; start < bytes.length; number++) {
    const found = bytes.indexOf(newline, start)
    const end = found === -1 ? bytes.length : found
    if (end > start) yield { bytes: bytes.subarray(start, end), number }
    start = end + 1
  }
}

const ownerOf = ({ mode, organizationId }: Pick<Unsealed, "mode" | "organizationId">): string =>
  `${organizationId} ${mode}`

const notOurs = "it is not a line that an export with seals writes"
const foreign = "it is of another organization or mode than the checkpoint, or than the line before it"
const late = `it has no seal, and others in this export are more than ${sealLateMsMax / 1_000} s younger`

/**
 * In constant memory: what is kept of entries that come before their place is bounded. `trusted`: who may have erased;
 * null for whoever says so.
 */
export const verifyExport = async (
  source: AsyncIterable<Uint8Array>,
  milestone: Milestone | null,
  trusted: ReadonlyArray<KeyObject> | null,
  onProgress: (entries: number, readBytes: number) => void
): Promise<Verification> => {
  const walk = walkChain(strayEntriesMax, milestone)
  const erasureProblem = makeErasureProblem(trusted)
  let erased = 0
  let owner = milestone === null ? null : ownerOf(milestone)
  let newest = ""
  let waiting = 0
  let firstWaiting: (Pick<Unsealed, "assessmentId" | "createdAt"> & { readonly line: number }) | null = null
  const found = (broken: Break | null): Verification => ({
    sealed: walk.head().sequence,
    erased,
    waiting,
    head: walk.head(),
    broken
  })

  for await (const block of wholeLines(source)) {
    for (const { bytes, number: line } of linesOf(block)) {
      const row = bytes.length > historyLineBytesMax ? undefined : readExportLine(bytes)
      if (row === undefined) return found({ sequence: null, assessmentId: null, line, problem: notOurs })
      const { assessmentId, createdAt, sequence } = row
      owner ??= ownerOf(row)
      if (ownerOf(row) !== owner) return found({ sequence, assessmentId, line, problem: foreign })
      if (createdAt > newest) newest = createdAt
      if (row.sequence === null) {
        waiting++
        firstWaiting ??= { assessmentId, createdAt, line }
        continue
      }
      const problem = "signature" in row ? erasureProblem(row) : linkProblem(row)
      const broken = walk.add({ ...row, line, problem })
      if (broken !== null) return found(broken)
      if ("signature" in row) erased++
    }
    onProgress(walk.head().sequence, block.readBytes)
  }
  const broken = walk.end()
  if (broken !== null || firstWaiting === null) return found(broken)
  if (Date.parse(newest) - Date.parse(firstWaiting.createdAt) <= sealLateMsMax) return found(null)
  const { assessmentId, line } = firstWaiting
  return found({ sequence: null, assessmentId, line, problem: late })
}
