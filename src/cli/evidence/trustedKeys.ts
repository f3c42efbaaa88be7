/** Whose signatures a verification takes: those of the keys in a file, of this installation, or whoever they name themselves. */

import { Effect, FileSystem } from "effect"
import { createPublicKey, type KeyObject } from "node:crypto"
import { AppConfig } from "../../Config.ts"
import { EvidenceKey } from "../../storage/EvidenceKey.ts"
import { refuseFile } from "../readJsonFile.ts"

export interface TrustedKeys {
  readonly from: "file" | "settings" | "itself"
  /** Null where there are none, and each signature is held against the key that it names. */
  readonly keys: ReadonlyArray<KeyObject> | null
}

const pem = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g

/** A file may hold several, one below the other: those from before the key changed. */
export const keysInFile = Effect.fn("cli.keysInFile")(function* (file: string) {
  const text = yield* FileSystem.FileSystem.use((files) => files.readFileString(file)).pipe(
    Effect.catch(() => refuseFile(file, "cannot be read"))
  )
  const keys = yield* Effect.try(() => (text.match(pem) ?? []).map((one) => createPublicKey(one))).pipe(
    Effect.orElseSucceed(() => [])
  )
  if (keys.length === 0)
    return yield* refuseFile(file, "is no public key: action-risk evidence public-key prints one")
  const trusted: TrustedKeys = { from: "file", keys }
  return trusted
})

export const anyKey: TrustedKeys = { from: "itself", keys: null }

export const keyOfInstallation = EvidenceKey.pipe(
  Effect.map(({ publicKey }): TrustedKeys => ({ from: "settings", keys: [publicKey] })),
  Effect.provide(EvidenceKey.layer)
)

/** An external database may be verified without a key: who erased there is then whoever the records name. */
export const keyOfInstallationIfAny = Effect.flatMap(AppConfig, ({ databaseUrl, evidenceKey }) =>
  databaseUrl !== null && evidenceKey === null ? Effect.succeed(anyKey) : keyOfInstallation
)
