/** Verifies an export of evidence from its bytes, without the database. */

import type { KeyObject } from "node:crypto"
import { historyLineBytesMax, outOfOrderEntriesMax, sealLateMsMax } from "../limits.ts"
import { type LineBlock, wholeLines } from "../rules/history/wholeLines.ts"
import { makeErasureProblem } from "./Erasure.ts"
import {
  type ChainBreak,
  type CheckpointStatement,
  linkProblem,
  makeChainVerifier,
  type Verification
} from "./chain.ts"
import { readExportLine, type UnsealedLine } from "./exportLine.ts"

interface Line {
  readonly bytes: Uint8Array
  readonly number: number
}

const newline = 0x0a

/** The lines of a block, without empty ones. */
function* linesOf({ bytes, firstLine }: LineBlock): Generator<Line> {
  let number = firstLine
  for (let start = 0; start < bytes.length; number++) {
    const lineBreak = bytes.indexOf(newline, start)
    const end = lineBreak === -1 ? bytes.length : lineBreak
    if (end > start) yield { bytes: bytes.subarray(start, end), number }
    start = end + 1
  }
}

const ownerOf = ({ mode, organizationId }: Pick<UnsealedLine, "mode" | "organizationId">): string =>
  `${organizationId} ${mode}`

const notAnExportLine = "it is not a line of an export with seals"
const foreignOwner = "its organization or mode differs from that of the checkpoint or of the line before it"
const sealedTooLate = `it has no seal, although others in this export are more than ${sealLateMsMax / 1_000} s younger`

/**
 * Runs in constant memory, because the verifier holds back only a limited number of entries that come out of order. `trusted`: the keys
 * allowed to sign erasures; null accepts every key.
 */
export const verifyExport = async (
  source: AsyncIterable<Uint8Array>,
  checkpoint: CheckpointStatement | null,
  trusted: ReadonlyArray<KeyObject> | null,
  onProgress: (entries: number, readBytes: number) => void
): Promise<Verification> => {
  const verifier = makeChainVerifier(outOfOrderEntriesMax, checkpoint)
  const erasureProblem = makeErasureProblem(trusted)
  let erased = 0
  let owner = checkpoint === null ? null : ownerOf(checkpoint)
  let newest = ""
  let waiting = 0
  let firstWaiting: (Pick<UnsealedLine, "assessmentId" | "createdAt"> & { readonly line: number }) | null =
    null
  const found = (broken: ChainBreak | null): Verification => ({
    sealed: verifier.head().sequence,
    erased,
    waiting,
    head: verifier.head(),
    broken
  })

  for await (const block of wholeLines(source)) {
    for (const { bytes, number: line } of linesOf(block)) {
      const row = bytes.length > historyLineBytesMax ? undefined : readExportLine(bytes)
      if (row === undefined)
        return found({ sequence: null, assessmentId: null, line, problem: notAnExportLine })
      const { assessmentId, createdAt, sequence } = row
      owner ??= ownerOf(row)
      if (ownerOf(row) !== owner) return found({ sequence, assessmentId, line, problem: foreignOwner })
      if (createdAt > newest) newest = createdAt
      if (row.sequence === null) {
        waiting++
        firstWaiting ??= { assessmentId, createdAt, line }
        continue
      }
      const problem = "signature" in row ? erasureProblem(row) : linkProblem(row)
      const broken = verifier.add({ ...row, line, problem })
      if (broken !== null) return found(broken)
      if ("signature" in row) erased++
    }
    onProgress(verifier.head().sequence, block.readBytes)
  }
  const broken = verifier.end()
  if (broken !== null || firstWaiting === null) return found(broken)
  if (Date.parse(newest) - Date.parse(firstWaiting.createdAt) <= sealLateMsMax) return found(null)
  const { assessmentId, line } = firstWaiting
  return found({ sequence: null, assessmentId, line, problem: sealedTooLate })
}
