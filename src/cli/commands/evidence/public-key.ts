/** `action-risk evidence public-key`: the key that checkpoints of this installation are verified with. */

import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { EvidenceKey } from "../../../storage/EvidenceKey.ts"

export const publicKey = Command.make(
  "public-key",
  {},
  Effect.fnUntraced(function* () {
    const { publicKey } = yield* EvidenceKey
    yield* Console.log(publicKey.export({ format: "pem", type: "spki" }).toString().trimEnd())
  }, Effect.provide(EvidenceKey.layer))
).pipe(
  Command.withDescription("Print the public key that checkpoints are verified with, in PEM"),
  Command.withExamples([
    {
      command: "action-risk evidence public-key > evidence.pem",
      description: "Once, to hand to auditors by another way than the checkpoints"
    },
    {
      command: "action-risk evidence public-key | openssl pkey -pubin -noout -text",
      description: "To look into it"
    }
  ])
)
