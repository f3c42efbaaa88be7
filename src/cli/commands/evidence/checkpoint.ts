/** `action-risk evidence checkpoint`: signs where a chain stands, to be kept where the database's owner cannot reach. */

import { Clock, Console, Effect, Layer, Option, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { sealWaiting } from "../../../assessment/sealEvidence.ts"
import { hex } from "../../../storage/evidence/chain.ts"
import { signCheckpoint } from "../../../storage/evidence/checkpoint.ts"
import { EvidenceKey } from "../../../storage/EvidenceKey.ts"
import { SealedEvidence } from "../../../storage/SealedEvidence.ts"
import { Seals } from "../../../storage/Seals.ts"
import { checkpointJson } from "../../evidence/checkpointJson.ts"
import { json } from "../../options/json.ts"
import { mode } from "../../options/mode.ts"
import { org, organizationOf } from "../../options/organization.ts"
import { pathFlag } from "../../options/path.ts"
import { Refused } from "../../Refused.ts"
import { Stores } from "../../Stores.ts"
import { writeWhole } from "../../writeWhole.ts"

export const checkpoint = Command.make(
  "checkpoint",
  {
    org,
    mode,
    out: pathFlag("out", "checkpoint.json").pipe(
      Flag.withDescription("The file to write, whole or not at all (default: standard output)"),
      Flag.optional
    ),
    json
  },
  Effect.fnUntraced(
    function* ({ json, mode, org, out }) {
      const key = yield* EvidenceKey
      const { id } = yield* organizationOf(org)
      yield* sealWaiting(mode)
      const head = yield* SealedEvidence.use((evidence) => evidence.head({ organizationId: id, mode }))
      if (head.sequence === 0)
        return yield* new Refused({ message: `${org} has no sealed assessment in ${mode} mode yet` })
      const at = new Date(yield* Clock.currentTimeMillis).toISOString()
      const entryDigest = hex(head.entryDigest)
      const signed = checkpointJson(
        signCheckpoint({ organizationId: id, mode, sequence: head.sequence, entryDigest, at }, key)
      )
      const file = Option.getOrNull(out)
      const line = JSON.stringify(signed)
      if (file !== null) yield* writeWhole(file, Stream.make(Buffer.from(`${line}\n`)))
      const entries = head.sequence.toLocaleString("en-US")
      yield* Console.log(
        json || file === null ? line : `${entries} entries of ${org}, ${mode}, signed in ${file}`
      )
    },
    Effect.provide(
      Layer.mergeAll(EvidenceKey.layer, SealedEvidence.layer, Seals.layer).pipe(Layer.provideMerge(Stores))
    )
  )
).pipe(
  Command.withDescription(
    "Sign where a chain of evidence stands, so that nobody can cut its end off or write it anew"
  ),
  Command.withExamples([
    {
      command: "action-risk evidence checkpoint --org acme --mode live --out acme-2026-12-01.json",
      description: "Every day, to a place that the database's owner cannot change"
    },
    {
      command: "action-risk evidence checkpoint --org acme --mode live | mail auditor@example.com",
      description: "To whoever will verify later"
    }
  ])
)
