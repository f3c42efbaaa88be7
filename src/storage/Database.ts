/** Where the database is, and the service's roles in it. `openDatabase.ts` opens it. */

import { Context, Redacted } from "effect"
import type { Mode } from "../domain/Caller.ts"

/** Which of several servers accepts writes. Changes when a standby is promoted. */
export interface PrimaryServer {
  /** Its index among the servers of DATABASE_URL, from 0, as far as known. */
  readonly place: () => number
  /** Reduces a URL to this server. The URL must name the same servers, or a single one, which is expected to lead to the primary. */
  readonly urlIn: (url: Redacted.Redacted) => Redacted.Redacted
  /** Searches in the background, after a sign that the known server no longer accepts writes. One search at a time. */
  readonly searchAgain: () => void
}

export class Database extends Context.Service<
  Database,
  {
    readonly kind: "embedded" | "external"
    /** Logs in as the owner of the schemas, who runs migrations and may take the roles in `Sql.ts`. */
    readonly url: Redacted.Redacted
    readonly logins: Logins
    /** Set if DATABASE_URL names several servers. `url` is then that of the primary found at startup. */
    readonly primary?: PrimaryServer
    /** The number of groups into which organizations are distributed. Absent if the database is not distributed. */
    readonly groups?: number | undefined
  }
>()("action-risk/storage/Database") {}

export const databaseSchemas = ["control", "live", "test"] as const
export type DatabaseSchema = (typeof databaseSchemas)[number]

/** The schema of a group of organizations. A database that is not distributed has one group, in the schema of the mode. */
export const schemaOfGroup = (mode: Mode, group: number, groups: number | undefined): string =>
  groups === undefined ? mode : `${mode}_${group}`

/** The group of an organization. Invariant: it never changes, because it determines where the organization's rows are. */
export const groupOf = (organizationId: string, groups: number): number =>
  Number.parseInt(organizationId.slice(-8), 16) % groups

export const roleOf = (schema: DatabaseSchema): string => `action_risk_${schema}`

/** A URL for logging in to each schema. Without one, the owner logs in and takes the role, which a session can undo. */
export type Logins = Readonly<Partial<Record<DatabaseSchema, Redacted.Redacted>>>

/** The roles themselves as users of the owner's server, which requires no passwords. */
export const roleLogins = (ownerUrl: Redacted.Redacted): Logins => {
  const as = (schema: DatabaseSchema) => {
    const url = new URL(Redacted.value(ownerUrl))
    url.username = roleOf(schema)
    return Redacted.make(url.href)
  }
  return { control: as("control"), live: as("live"), test: as("test") }
}
