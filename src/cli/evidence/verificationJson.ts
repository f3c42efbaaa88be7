/** A verification of evidence as JSON and as text. */

import type { Verification } from "../../assessment/evidence/Verification.ts"
import type { Mode } from "../../domain/Mode.ts"
import { hex } from "../../storage/evidence/chain.ts"
import type { Sheet } from "../render/Sheet.ts"
import type { evidenceVerifyShape } from "../shapes/evidence/verify.ts"
import type { TrustedCheckpoint } from "./checkpointJson.ts"
import type { TrustedKeys } from "./trustedKeys.ts"

export interface Verified {
  readonly verification: Verification
  readonly checkpoint: TrustedCheckpoint | null
  readonly keysFrom: TrustedKeys["from"]
  /** The file; null of the database. */
  readonly file: string | null
  /** These two are null of an export. */
  readonly organization: string | null
  readonly mode: Mode | null
}

export const verificationJson = ({
  checkpoint: trusted,
  file,
  keysFrom,
  mode,
  organization,
  verification
}: Verified): typeof evidenceVerifyShape.Encoded => {
  const { broken, erased, head, sealed, waiting } = verification
  return {
    ok: broken === null,
    export: file,
    organization,
    mode,
    sealed,
    erased: { entries: erased, key_from: erased === 0 ? null : keysFrom },
    waiting,
    entry_digest: head.sequence === 0 ? null : hex(head.entryDigest),
    checkpoint: trusted && {
      sequence: trusted.checkpoint.sequence,
      at: trusted.checkpoint.at,
      public_key: trusted.checkpoint.publicKey,
      key_from: trusted.keyFrom
    },
    broken: broken && {
      sequence: broken.sequence,
      assessment_id: broken.assessmentId,
      line: broken.line,
      problem: broken.problem
    }
  }
}

const count = (many: number, one: string, more: string): string =>
  `${many.toLocaleString("en-US")} ${many === 1 ? one : more}`

const signedBy = {
  file: "signed with the given key",
  settings: "signed with the key of this installation",
  checkpoint: "signed with the key that it names itself: give --public-key to know whose that is"
}

const erasedBy = {
  file: "on record, signed with the given key",
  settings: "on record, signed with the key of this installation",
  itself:
    "on record, signed with keys that the record names itself: give --public-key to know whose those are"
}

export const renderVerification = (
  { ink }: Sheet,
  { checkpoint: trusted, keysFrom, verification }: Verified
): string => {
  const { broken, erased, head, sealed, waiting } = verification
  const entries = count(sealed, "entry", "entries")
  if (broken !== null) {
    const row = [
      ...(broken.line === null ? [] : [`line ${broken.line}`]),
      ...(broken.sequence === null ? [] : [`entry ${broken.sequence.toLocaleString("en-US")}`]),
      ...(broken.assessmentId === null ? [] : [`assessment ${broken.assessmentId}`])
    ]
    return [
      `${ink("red", "✗")} ${row.join(", ")}: ${broken.problem}`,
      ink("dim", `  ${entries} before it ${sealed === 1 ? "is" : "are"} whole`)
    ].join("\n")
  }
  return [
    `${ink("green", "✓")} ${entries}, each as it was sealed`,
    ...(sealed === 0 ? [] : [ink("dim", `  the last one is ${hex(head.entryDigest)}`)]),
    ...(erased === 0
      ? []
      : [`  ${count(erased, "of them is", "of them are")} of an erased assessment, ${erasedBy[keysFrom]}`]),
    ...(waiting === 0
      ? []
      : [`  ${count(waiting, "assessment waits for its", "assessments wait for their")} seal`]),
    ...(trusted === null
      ? []
      : [
          `  entry ${trusted.checkpoint.sequence.toLocaleString("en-US")} is the one of the checkpoint of ${trusted.checkpoint.at}, ${signedBy[trusted.keyFrom]}`
        ])
  ].join("\n")
}
