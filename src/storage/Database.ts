/** Where the database is, and which roles the service has in it. `openDatabase.ts` opens it. */

import { Context, Redacted } from "effect"
import type { Mode } from "../domain/Caller.ts"

/** Which of several servers takes writes. It changes when a standby is promoted. */
export interface PrimaryServer {
  /** Its place among the servers of DATABASE_URL, from 0, as far as is known. */
  readonly place: () => number
  /** The part of a URL that names it alone. The URL names the same servers, or one, which is expected to lead to it. */
  readonly urlIn: (url: Redacted.Redacted) => Redacted.Redacted
  /** Searches in the background, after a sign that the known one takes no writes any more. One search at a time. */
  readonly searchAgain: () => void
}

export class Database extends Context.Service<
  Database,
  {
    readonly kind: "embedded" | "external"
    /** Logs in as the owner of the schemas, who migrates and may take the roles of `Sql.ts`. */
    readonly url: Redacted.Redacted
    readonly logins: Logins
    /** Where DATABASE_URL names several servers. `url` is then that of the primary as it was found at the start. */
    readonly primary?: PrimaryServer
    /** How many groups of organizations it is distributed by. Absent where it is not distributed. */
    readonly groups?: number | undefined
  }
>()("action-risk/storage/Database") {}

export const databaseSchemas = ["control", "live", "test"] as const
export type DatabaseSchema = (typeof databaseSchemas)[number]

/** The schema of a group of organizations. One that is not distributed has one group, in the schema of the mode. */
export const schemaOfGroup = (mode: Mode, group: number, groups: number | undefined): string =>
  groups === undefined ? mode : `${mode}_${group}`

/** The group of an organization. Invariant: it never changes, because the rows of the organization are there. */
export const groupOf = (organizationId: string, groups: number): number =>
  Number.parseInt(organizationId.slice(-8), 16) % groups

export const roleOf = (schema: DatabaseSchema): string => `action_risk_${schema}`

/** A URL to log in with for each schema. Without one the owner logs in and takes the role, which a session can undo. */
export type Logins = Readonly<Partial<Record<DatabaseSchema, Redacted.Redacted>>>

/** The roles themselves as users of the owner's server, which asks for no passwords. */
export const roleLogins = (ownerUrl: Redacted.Redacted): Logins => {
  const as = (schema: DatabaseSchema) => {
    const url = new URL(Redacted.value(ownerUrl))
    url.username = roleOf(schema)
    return Redacted.make(url.href)
  }
  return { control: as("control"), live: as("live"), test: as("test") }
}
