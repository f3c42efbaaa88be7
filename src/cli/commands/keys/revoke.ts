/** `action-risk keys revoke`: ends a key for good, everywhere within five seconds. */

import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { ApiKeys } from "../../../storage/ApiKeys.ts"
import { json } from "../../options/json.ts"
import { Refused } from "../../Refused.ts"
import { Stores } from "../../Stores.ts"

export const revokeKey = Command.make(
  "revoke",
  { id: Argument.String("key id").pipe(Argument.withDescription("As `keys list` shows it")), json },
  Effect.fnUntraced(function* ({ id, json }) {
    const revokedAt = yield* ApiKeys.use(({ revoke }) => revoke(id)).pipe(
      Effect.catchTag("KeyNotFound", () =>
        Effect.fail(
          new Refused({ message: `there is no key with the id \`${id}\`: see action-risk keys list` })
        )
      ),
      Effect.provide(Stores)
    )
    const revoked_at = revokedAt.toISOString()
    yield* Console.log(
      json ? JSON.stringify({ key_id: id, revoked_at }) : `key ${id} revoked at ${revoked_at}`
    )
  })
).pipe(
  Command.withDescription("Revoke a key; it takes effect everywhere within 5 seconds"),
  Command.withExamples([
    {
      command: "action-risk keys revoke 0b0f7d0e-6c1f-4f4e-9a55-2f6a8f2f9f55",
      description: "By the id that `keys list` shows"
    }
  ])
)
