/** The result of a verification, as `--json` prints it and for people. */

import { Schema } from "effect"
import { type Mode, modes } from "../../domain/Caller.ts"
import type { Verification } from "../../evidence/chain.ts"
import type { OutcomesVerification } from "../../evidence/verifyOutcomes.ts"
import { hex } from "../../storage/sha256.ts"
import type { Terminal } from "../Terminal.ts"
import { counted, figure } from "../texts.ts"
import type { TrustedCheckpoint, TrustedKeys } from "./checkpoint.ts"

const Broken = Schema.Struct({
  sequence: Schema.NullOr(Schema.Int).annotate({
    description: "The position in the chain; null where the row has none."
  }),
  assessment_id: Schema.NullOr(Schema.String).annotate({ description: "Null where it is unknown." }),
  line: Schema.NullOr(Schema.Int).annotate({ description: "The line of the export; null in a database." }),
  problem: Schema.String.annotate({ description: "The problem with the row, in one sentence." })
})

const Checkpoint = Schema.Struct({
  sequence: Schema.Int,
  at: Schema.String,
  public_key: Schema.String.annotate({
    description: "The key that signed it, SubjectPublicKeyInfo in base64."
  }),
  key_from: Schema.Literals(["file", "settings", "checkpoint"]).annotate({
    description:
      "The source of that key: `--public-key`, this installation, or the checkpoint itself, which proves nothing about who signed."
  })
})

export const evidenceVerifySchema = Schema.Struct({
  ok: Schema.Boolean,
  export: Schema.NullOr(Schema.String).annotate({
    description: "The file; null where the database was verified."
  }),
  organization: Schema.NullOr(Schema.String).annotate({ description: "The slug; null for an export." }),
  mode: Schema.NullOr(Schema.Literals(modes)).annotate({ description: "Null for an export." }),
  sealed: Schema.Int.annotate({ description: "Unbroken entries, counted from the first." }),
  erased: Schema.Struct({
    entries: Schema.Int.annotate({
      description: "Those of them whose assessment was erased, with a signed record."
    }),
    key_from: Schema.NullOr(Schema.Literals(["file", "settings", "itself"])).annotate({
      description:
        "The source of the key that signed the records: `--public-key`, this installation, or the record itself, which proves nothing about who erased; null where nothing was erased."
    })
  }),
  waiting: Schema.Int.annotate({
    description: "Assessments without a seal: the newest ones may not have one yet."
  }),
  entry_digest: Schema.NullOr(Schema.String).annotate({
    description: "The digest of the last unbroken entry; null where there is none."
  }),
  checkpoint: Schema.NullOr(Checkpoint),
  outcomes: Schema.NullOr(
    Schema.Struct({
      sealed: Schema.Int.annotate({ description: "Unbroken entries, counted from the first." }),
      erased: Schema.Int.annotate({
        description: "Those of them whose event was erased with its assessment."
      }),
      broken: Schema.NullOr(
        Schema.Struct({
          sequence: Schema.NullOr(Schema.Int),
          assessment_id: Schema.String,
          problem: Schema.String
        })
      )
    })
  ).annotate({ description: "The chain of outcome events; null for an export." }),
  broken: Schema.NullOr(Broken).annotate({
    description: "The first broken row; null where no row is broken."
  })
})

export interface Verified {
  readonly verification: Verification
  /** Null for an export. */
  readonly outcomes: OutcomesVerification | null
  readonly checkpoint: TrustedCheckpoint | null
  readonly keysFrom: TrustedKeys["from"]
  /** The file of an export; null for the database. */
  readonly file: string | null
  /** This and the next are null for an export. */
  readonly organization: string | null
  readonly mode: Mode | null
}

/** Whether neither chain has a broken row. */
export const isWhole = ({ outcomes, verification }: Verified): boolean =>
  verification.broken === null && (outcomes?.broken ?? null) === null

const outcomesJson = ({ broken, erased, sealed }: OutcomesVerification) => ({
  sealed,
  erased,
  broken: broken && {
    sequence: broken.sequence,
    assessment_id: broken.assessmentId,
    problem: broken.problem
  }
})

export const verificationJson = (verified: Verified): typeof evidenceVerifySchema.Encoded => {
  const { checkpoint: trusted, file, keysFrom, mode, organization, outcomes, verification } = verified
  const { broken, erased, head, sealed, waiting } = verification
  return {
    ok: isWhole(verified),
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
    outcomes: outcomes && outcomesJson(outcomes),
    broken: broken && {
      sequence: broken.sequence,
      assessment_id: broken.assessmentId,
      line: broken.line,
      problem: broken.problem
    }
  }
}

const signedBy = {
  file: "signed with the given key",
  settings: "signed with the key of this installation",
  checkpoint:
    "signed with the key that the checkpoint itself names: give --public-key to verify whose key that is"
}

const erasedBy = {
  file: "on record, signed with the given key",
  settings: "on record, signed with the key of this installation",
  itself:
    "on record, signed with keys that the records themselves name: give --public-key to verify whose keys those are"
}

const renderOutcomes = ({ color }: Terminal, { broken, erased, sealed }: OutcomesVerification): string => {
  const events = counted(sealed, "outcome event")
  if (broken !== null) {
    const at = broken.sequence === null ? "" : `, entry ${figure(broken.sequence)}`
    return `${color("red", "✗")} outcome event${at} of assessment ${broken.assessmentId}: ${broken.problem}`
  }
  return `${color("green", "✓")} ${events}, each as it was sealed${erased === 0 ? "" : `, ${figure(erased)} erased`}`
}

/** Both chains. Leaves out the chain of outcome events while it is empty. */
export const renderVerification = (terminal: Terminal, verified: Verified): string =>
  [
    renderAssessments(terminal, verified),
    ...(verified.outcomes === null || (verified.outcomes.sealed === 0 && verified.outcomes.broken === null)
      ? []
      : [renderOutcomes(terminal, verified.outcomes)])
  ].join("\n")

const renderAssessments = (
  { color }: Terminal,
  { checkpoint: trusted, keysFrom, verification }: Verified
): string => {
  const { broken, erased, head, sealed, waiting } = verification
  const entries = counted(sealed, "entry", "entries")
  if (broken !== null) {
    const row = [
      ...(broken.line === null ? [] : [`line ${broken.line}`]),
      ...(broken.sequence === null ? [] : [`entry ${figure(broken.sequence)}`]),
      ...(broken.assessmentId === null ? [] : [`assessment ${broken.assessmentId}`])
    ]
    return [
      `${color("red", "✗")} ${row.join(", ")}: ${broken.problem}`,
      color("dim", `  ${entries} before it ${sealed === 1 ? "is" : "are"} whole`)
    ].join("\n")
  }
  return [
    `${color("green", "✓")} ${entries}, each as it was sealed`,
    ...(sealed === 0 ? [] : [color("dim", `  the last one is ${hex(head.entryDigest)}`)]),
    ...(erased === 0
      ? []
      : [`  ${counted(erased, "of them is", "of them are")} of an erased assessment, ${erasedBy[keysFrom]}`]),
    ...(waiting === 0
      ? []
      : [`  ${counted(waiting, "assessment waits for its", "assessments wait for their")} seal`]),
    ...(trusted === null
      ? []
      : [
          `  entry ${figure(trusted.checkpoint.sequence)} is the one of the checkpoint of ${trusted.checkpoint.at}, ${signedBy[trusted.keyFrom]}`
        ])
  ].join("\n")
}
