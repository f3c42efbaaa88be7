/** Hashes API keys with the secret peppers: a copy of the database alone tells nothing about any key. */

import { Context, Effect, Layer, Redacted } from "effect"
import { createHmac } from "node:crypto"
import { Secrets } from "./Secrets.ts"

export class KeyHasher extends Context.Service<
  KeyHasher,
  {
    /** HMAC-SHA256 by each pepper, newest first: look the key up by one after the other. */
    readonly hashes: (key: string) => readonly [Uint8Array, ...ReadonlyArray<Uint8Array>]
  }
>()("action-risk/storage/KeyHasher") {
  static readonly layer = Layer.effect(
    KeyHasher,
    Effect.map(Secrets, ({ keyPeppers: [newest, ...older] }) =>
      KeyHasher.of({ hashes: (key) => [hash(newest, key), ...older.map((pepper) => hash(pepper, key))] })
    )
  )
}

const hash = (pepper: Redacted.Redacted, key: string): Uint8Array =>
  createHmac("sha256", Redacted.value(pepper)).update(key).digest()
