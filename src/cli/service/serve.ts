/** `action-risk serve`: runs the service until a signal ends it. */

import { Clock, Console, Effect, Layer, Schema } from "effect"
import { ConsoleListener } from "../../console/ConsoleListener.ts"
import { makeLink } from "../../console/SignIn.ts"
import { testKeyExpiryMs } from "../../limits.ts"
import { restoreNewSpaceGrowth } from "../../runtimeTuning.ts"
import { ListeningServer } from "../../server/HttpServer.ts"
import { ApiKeys } from "../../storage/ApiKeys.ts"
import { Database } from "../../storage/Database.ts"
import { Organizations } from "../../storage/Organizations.ts"
import { currentTerminal, type Terminal } from "../Terminal.ts"
import { endsBySignal } from "../exit.ts"
import { McpListener } from "./McpListener.ts"
import { Service, telemetry } from "./Service.ts"
import { nullOr, string } from "../jsonShapes.ts"
import { verb } from "../verb.ts"

const serveShape = Schema.Struct({
  url: string("The address on which it listens, with the actual port."),
  organization: nullOr(
    Schema.String,
    "The organization that was created on an empty embedded database; else null."
  ),
  key: nullOr(Schema.String, "Its test key, shown this once; else null."),
  console: nullOr(
    Schema.String,
    "The address of the console, with a link that signs in once where the embedded database has one organization; null without a console."
  ),
  mcp: nullOr(Schema.String, "The address for agents that speak MCP; null without `MCP_PORT`.")
})

export const serve = verb({
  about: "Serve the API; on an empty embedded database also create an organization and a test key",
  takes: {},
  prints: serveShape,
  fails: "a setting is wrong, the port is taken, or another process serves this data directory",
  reads: "every variable of docs/configuration.md",
  examples: {
    "": "On http://127.0.0.1:3000, with the embedded PostgreSQL",
    "DATABASE_URL=postgres://… KEY_PEPPER=… HOST=0.0.0.0 action-risk serve":
      "On an external PostgreSQL, reachable from other machines"
  },
  run: Effect.fnUntraced(
    function* (options) {
      const { url } = yield* ListeningServer
      const created = yield* firstKey
      const console = yield* consoleAddress
      const { url: mcp } = yield* McpListener
      if (options.json) {
        const { key = null, organization = null } = created ?? {}
        yield* Console.log(JSON.stringify({ url, organization, key, console, mcp }))
      } else {
        if (created !== null) yield* Console.log(welcome(currentTerminal(), created, url))
        if (console !== null) yield* Console.log(`console for people: ${console}`)
        if (mcp !== null) yield* Console.log(`MCP for agents: ${mcp}`)
        yield* Console.log(`action-risk listening on ${url}`)
      }
      restoreNewSpaceGrowth()
      return yield* Effect.never
    },
    Effect.provide(Service.pipe(Layer.provideMerge(telemetry))),
    endsBySignal
  )
})

/**
 * The address of the console. With the embedded database and one organization, it is a link that signs in once, within a minute. With
 * several organizations, the operator decides who sees which: `action-risk console link`.
 */
const consoleAddress = Effect.gen(function* () {
  const { url } = yield* ConsoleListener
  if (url === null) return null
  const { kind } = yield* Database
  const [only, ...others] = yield* Organizations.use(({ list }) => list)
  if (kind === "external" || only === undefined || others.length > 0) return url
  return `${url}${yield* makeLink(only, "test")}`
})

/**
 * On an empty embedded database, creates the organization `demo` with one test key. Null if organizations exist, and always on an external
 * database, where only the operator grants access.
 */
const firstKey = Effect.gen(function* () {
  const organizations = yield* Organizations
  const { kind } = yield* Database
  if (kind === "external" || (yield* organizations.list).length > 0) return null
  const organization = yield* organizations.create({ slug: "demo", name: "Demo", policySet: "none" })
  const now = yield* Clock.currentTimeMillis
  const { key } = yield* Effect.flatMap(ApiKeys, ({ create }) =>
    create(organization, {
      mode: "test",
      scopes: ["assess", "read"],
      environments: null,
      expiresAt: new Date(now + testKeyExpiryMs)
    })
  )
  return { organization: organization.slug, key }
})

type FirstKey = NonNullable<Effect.Success<typeof firstKey>>

const exampleRequest = {
  action_type: "customer.export",
  environment: "production",
  records_affected: 25_000,
  destination: "files.example.net"
}

const welcome = ({ color }: Terminal, { key, organization }: FirstKey, url: string): string =>
  [
    `The organization ${color("bold", organization)} and its test key were created; the key is shown this once:`,
    "",
    `  ${color("bold", key)}`,
    "",
    "Try it:",
    "",
    `  curl -s ${url}/api/v1/actions/assess \\`,
    `    -H 'authorization: Bearer ${key}' \\`,
    "    -H 'content-type: application/json' \\",
    `    -d '${JSON.stringify(exampleRequest)}'`,
    ""
  ].join("\n")
