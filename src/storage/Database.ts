/** The PostgreSQL that this process works on: where it is, and as whom to log in. `openDatabase.ts` opens it. */

import { Context, type Redacted } from "effect"
import type { Logins } from "./sql/roles.ts"

export class Database extends Context.Service<
  Database,
  {
    readonly kind: "embedded" | "external"
    /** Logs in as the owner of the schemas, who migrates and may take the roles of `Sql.ts`. */
    readonly url: Redacted.Redacted
    readonly logins: Logins
  }
>()("action-risk/storage/Database") {}
