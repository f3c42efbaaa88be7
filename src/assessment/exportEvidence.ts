/** The stored assessments of an organization and mode as a stream of export lines, oldest first. */

import { Stream } from "effect"
import type { Owner } from "../storage/AssessmentRecord.ts"
import { exportLine } from "./evidence/exportLine.ts"
import { type Span, storedEvidence } from "./evidence/storedEvidence.ts"

export const exportEvidence = (owner: Owner, span: Span) =>
  Stream.map(storedEvidence(owner, span), exportLine)
