/** The database for the Citus tests, with services, organizations and keys. */

import { Effect, Layer, Redacted } from "effect"
import { afterAll, inject } from "vitest"
import type { Mode, Scope } from "../../src/domain/Caller.ts"
import { organizationGroups } from "../../src/limits.ts"
import type { Organization } from "../../src/storage/Organizations.ts"
import { Database, groupOf } from "../../src/storage/Database.ts"
import { sqlLayer } from "../../src/storage/sql/Sql.ts"
import { serving, type Serving } from "../support/actionRisk.ts"
import { accounts, pepper } from "../support/FaultedService.ts"
import { newKey, newOrganization } from "../support/fullService.ts"

const given = inject("citusUrl")

/** A superuser's URL of the distributed database on the coordinator. Empty where the tests are skipped. */
export const citusUrl = given ?? ""

/** Whether the tests are skipped: CITUS_URL names no cluster. */
export const withoutCitus = given === undefined

export const environment = {
  DATABASE_URL: citusUrl,
  DISTRIBUTED: "citus",
  KEY_PEPPER: pepper,
  EVIDENCE_KEY: Buffer.alloc(32, "evidence").toString("base64"),
  RATE_LIMIT_TEST: "1000000",
  RATE_LIMIT_LIVE: "1000000",
  WEBHOOK_ALLOW_INSECURE: "loopback"
}

export const database = sqlLayer.pipe(
  Layer.provideMerge(
    Layer.succeed(Database, {
      kind: "external",
      url: Redacted.make(citusUrl),
      logins: {},
      groups: organizationGroups
    })
  )
)

export interface Member {
  readonly slug: string
  readonly owner: Organization
  readonly group: number
  readonly key: (mode?: Mode, scopes?: ReadonlyArray<Scope>) => Promise<string>
}

let members = 0

/** A new organization; with a group, one of that group. */
export const newMember = async (group?: number): Promise<Member> => {
  const slug = `member-${process.pid}-${++members}`
  const owner = await withAccounts(newOrganization(slug))
  const found = groupOf(owner.id, organizationGroups)
  if (group !== undefined && found !== group) return newMember(group)
  const scopes: ReadonlyArray<Scope> = ["assess", "read", "reviews", "webhooks"]
  return {
    slug,
    owner,
    group: found,
    key: (mode = "test", of = scopes) => withAccounts(newKey(owner, mode, of))
  }
}

const withAccounts = <A, E>(work: Effect.Effect<A, E, Layer.Success<typeof accounts>>): Promise<A> =>
  Effect.runPromise(work.pipe(Effect.provide(accounts), Effect.provide(database)))

/** Replicas of the service, each started once and running until the tests of the file are done: each has a connection for each group. */
export const replicas = () => {
  const running = new Map<number, Promise<Serving>>()
  afterAll(async () => {
    for (const { signal } of await Promise.all(running.values())) signal("SIGKILL")
  })
  return (replica = 0): Promise<Serving> => {
    const started = running.get(replica) ?? serving({ env: environment })
    running.set(replica, started)
    return started
  }
}

/** `path` below `/api/v1`; posts where there is a body. */
export const ask = async (
  { url }: Pick<Serving, "url">,
  key: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {}
) => {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === "" ? null : JSON.parse(text)
  }
}

/** A call whose opinion is critical, so that it opens a review. */
export const payout = (amount: number, metadata: object = {}) => ({
  action_type: "mcp__stripe__create_refund",
  environment: "production",
  agent_id: "support-bot",
  metadata: {
    ...metadata,
    tool_call: { server: "stripe", name: "create_refund", arguments: { amount, currency: "usd" } }
  }
})
