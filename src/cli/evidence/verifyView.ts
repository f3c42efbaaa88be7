/** A verification of evidence as JSON and as text. */

import { Schema } from "effect"
import { type Mode, modes } from "../../domain/Caller.ts"
import type { Verification } from "../../evidence/chain.ts"
import { hex } from "../../storage/sha256.ts"
import type { Terminal } from "../Terminal.ts"
import type { TrustedCheckpoint, TrustedKeys } from "./checkpoint.ts"

const Broken = Schema.Struct({
  sequence: Schema.NullOr(Schema.Int).annotate({
    description: "Its place in the chain; null where it has none."
  }),
  assessment_id: Schema.NullOr(Schema.String).annotate({ description: "null where nobody can tell." }),
  line: Schema.NullOr(Schema.Int).annotate({ description: "Of the export, where it is a row of one." }),
  problem: Schema.String.annotate({ description: "What is wrong with the row, in one sentence." })
})

const Checkpoint = Schema.Struct({
  sequence: Schema.Int,
  at: Schema.String,
  public_key: Schema.String.annotate({
    description: "The key that has signed it, SubjectPublicKeyInfo in base64."
  }),
  key_from: Schema.Literals(["file", "settings", "checkpoint"]).annotate({
    description:
      "Where that key was taken from: `--public-key`, this installation, or the checkpoint itself, which proves nothing about who signed."
  })
})

export const evidenceVerifySchema = Schema.Struct({
  ok: Schema.Boolean,
  export: Schema.NullOr(Schema.String).annotate({
    description: "The file; null where the database was verified."
  }),
  organization: Schema.NullOr(Schema.String).annotate({ description: "The slug; null of an export." }),
  mode: Schema.NullOr(Schema.Literals(modes)).annotate({ description: "null of an export." }),
  sealed: Schema.Int.annotate({ description: "Entries that are whole, from the first one on." }),
  erased: Schema.Struct({
    entries: Schema.Int.annotate({
      description: "Those of them whose assessment was erased, on signed record."
    }),
    key_from: Schema.NullOr(Schema.Literals(["file", "settings", "itself"])).annotate({
      description:
        "Where the key was taken from that has signed so: `--public-key`, this installation, or the record itself, which proves nothing about who erased; null where nothing was."
    })
  }),
  waiting: Schema.Int.annotate({ description: "Assessments that have no seal yet, as the newest ones do." }),
  entry_digest: Schema.NullOr(Schema.String).annotate({
    description: "Of the last entry that is whole; null where there is none."
  }),
  checkpoint: Schema.NullOr(Checkpoint),
  broken: Schema.NullOr(Broken).annotate({
    description: "The first broken row; null where everything is whole."
  })
})

/** A verification of evidence as JSON and as text. */
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
}: Verified): typeof evidenceVerifySchema.Encoded => {
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
  { color: ink }: Terminal,
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
