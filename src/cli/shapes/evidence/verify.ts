/** What `evidence verify --json` prints. */

import { Schema } from "effect"
import { modes } from "../../../domain/Mode.ts"

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

export const evidenceVerifyShape = Schema.Struct({
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
