/** The PostgreSQL that this process works on: an external server, or the embedded one. */

import { Context, Effect, Layer, type Redacted } from "effect"
import { AppConfig } from "../Config.ts"
import { openEmbeddedPostgres } from "./EmbeddedPostgres.ts"
import { openExternalPostgres } from "./ExternalPostgres.ts"

export class Database extends Context.Service<
  Database,
  {
    readonly kind: "embedded" | "external"
    /** Logs in as the owner of the schemas, who migrates and may take the roles of `Sql.ts`. */
    readonly url: Redacted.Redacted
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
    Effect.suspend(() => open(true))
  )
}

const open = Effect.fnUntraced(function* (serving: boolean) {
  const { databaseUrl, dataDirectory } = yield* AppConfig
  return databaseUrl === null
    ? Database.of({ kind: "embedded", url: yield* openEmbeddedPostgres({ dataDirectory, serving }) })
    : Database.of({ kind: "external", url: yield* openExternalPostgres(databaseUrl) })
})
