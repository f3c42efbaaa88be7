/** A database for real processes, behind a proxy that can cut it off, with an API key. */

import { Effect, Layer, Redacted, type Scope } from "effect"
import { scopes } from "../../src/domain/Caller.ts"
import { ApiKeys, KeyHasher } from "../../src/storage/ApiKeys.ts"
import { Database } from "../../src/storage/Database.ts"
import { Organizations } from "../../src/storage/Organizations.ts"
import { Secrets } from "../../src/storage/Secrets.ts"
import { TestDatabase } from "./TestDatabase.ts"
import { type FaultyProxy, faultyProxy } from "./faultyProxy.ts"
import { newKey, newOrganization } from "./fullService.ts"

export interface OwnDatabase {
  readonly proxy: FaultyProxy
  /** A test key with every scope. */
  readonly key: string
  /** Variables that a process needs to work on it, through the proxy. */
  readonly env: Readonly<Record<string, string>>
}

const pepper = "a pepper of this test"

export const ownDatabase: Effect.Effect<OwnDatabase, never, Scope.Scope> = Effect.gen(function* () {
  const secrets = Layer.succeed(Secrets, { keyPeppers: [Redacted.make(pepper)] } as Secrets["Service"])
  const stores = Layer.mergeAll(ApiKeys.layer, Organizations.layer).pipe(
    Layer.provideMerge(KeyHasher.layer),
    Layer.provide(secrets),
    Layer.provideMerge(TestDatabase.layer)
  )
  const context = yield* Layer.build(stores)
  return yield* Effect.gen(function* () {
    const url = Redacted.value((yield* Database).url)
    const proxy = yield* faultyProxy(url)
    const key = yield* newKey(yield* newOrganization("acme"), "test", scopes)
    return { proxy, key, env: { DATABASE_URL: proxy.through(url), KEY_PEPPER: pepper } }
  }).pipe(Effect.provide(context))
}).pipe(Effect.orDie)
