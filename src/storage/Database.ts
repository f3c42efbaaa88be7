/** The PostgreSQL that this process works on: an external server, or the embedded one. */

import { Context, Effect, Fiber, Layer, type Redacted } from "effect"
import { AppConfig } from "../Config.ts"
import type { DatabaseProblem } from "./DatabaseProblem.ts"
import { openEmbeddedPostgres } from "./EmbeddedPostgres.ts"
import { openExternalPostgres } from "./ExternalPostgres.ts"
import { type Logins, roleLogins } from "./Logins.ts"

/** The database of `serve` while it is opened: the layers that are built in between make use of the time. */
export class OpeningDatabase extends Context.Service<
  OpeningDatabase,
  Fiber.Fiber<Database["Service"], DatabaseProblem>
>()("action-risk/storage/OpeningDatabase") {
  static readonly layer = Layer.effect(
    OpeningDatabase,
    Effect.forkScoped(
      Effect.suspend(() => open(true)),
      { startImmediately: true }
    )
  )
}

export class Database extends Context.Service<
  Database,
  {
    readonly kind: "embedded" | "external"
    /** Logs in as the owner of the schemas, who migrates and may take the roles of `Sql.ts`. */
    readonly url: Redacted.Redacted
    readonly logins: Logins
  }
>()("action-risk/storage/Database") {
  /** For commands: works beside a running server, or starts one for as long as the command lasts. */
  static readonly layer = Layer.effect(
    Database,
    Effect.suspend(() => open(false))
  )

  /** For `serve`: the only one on its data directory. */
  static readonly layerServing = Layer.effect(
    Database,
    Effect.flatMap(OpeningDatabase, (opening) => Fiber.join(opening))
  )
}

const open = Effect.fnUntraced(function* (serving: boolean) {
  const { databaseUrl, databaseUrlControl, databaseUrlLive, databaseUrlTest, dataDirectory } =
    yield* AppConfig
  if (databaseUrl === null) {
    const url = yield* openEmbeddedPostgres({ dataDirectory, serving })
    return Database.of({ kind: "embedded", url, logins: roleLogins(url) })
  }
  const url = yield* openExternalPostgres(databaseUrl)
  const givenLogins: Logins = {
    ...(databaseUrlControl && { control: databaseUrlControl }),
    ...(databaseUrlLive && { live: databaseUrlLive }),
    ...(databaseUrlTest && { test: databaseUrlTest })
  }
  return Database.of({ kind: "external", url, logins: givenLogins })
})
