/** What is exported of an organization and mode, as streams of lines, oldest first. */

import { Stream } from "effect"
import type { Owner } from "../storage/AssessmentRecord.ts"
import { erasedLine } from "./evidence/erasedLine.ts"
import { exportLine } from "./evidence/exportLine.ts"
import { storedChain } from "./evidence/storedChain.ts"
import { type Span, storedEvidence } from "./evidence/storedEvidence.ts"

/** Stored assessments, for whoever reads a history. */
export const exportEvidence = (owner: Owner, span: Span) =>
  Stream.map(storedEvidence(owner, span), exportLine)

/** The whole chain, for whoever verifies it: also what was erased has its line. */
export const exportChain = (owner: Owner, span: Span) =>
  Stream.map(storedChain(owner, span), (stored) =>
    "signature" in stored
      ? { line: erasedLine(stored), erased: true }
      : { line: exportLine(stored), erased: false }
  )
