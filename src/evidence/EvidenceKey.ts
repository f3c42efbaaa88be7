/** The Ed25519 key that signs checkpoints and erasures: the operator's key, or one that was generated once in DATA_DIR. */

import { Context, Effect, Layer, Redacted } from "effect"
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto"
import { join } from "node:path"
import { AppConfig, variables } from "../config.ts"
import { ed25519Key, WrongVariable } from "../environment.ts"
import { secretAt } from "../storage/openSecrets.ts"

export class EvidenceKey extends Context.Service<
  EvidenceKey,
  { readonly privateKey: KeyObject; readonly publicKey: KeyObject }
>()("action-risk/evidence/EvidenceKey") {
  static readonly layer = Layer.effect(
    EvidenceKey,
    Effect.gen(function* () {
      const { databaseUrl, dataDirectory, evidenceKey } = yield* AppConfig
      if (evidenceKey !== null) return keyPair(evidenceKey)
      if (databaseUrl === null) return keyPair(yield* generatedKey(dataDirectory))
      // Replicas would not share a key that one of them generates.
      const { accepted, name } = variables.evidenceKey
      return yield* new WrongVariable({ name, problem: "is unset, and DATABASE_URL needs it", accepted })
    })
  )
}

const keyPair = (pem: Redacted.Redacted) => {
  const privateKey = createPrivateKey(Redacted.value(pem))
  return EvidenceKey.of({ privateKey, publicKey: createPublicKey(privateKey) })
}

const generatedKey = (dataDirectory: string) =>
  secretAt(
    join(dataDirectory, "evidence-key"),
    "base64",
    ed25519Key,
    "holds no key: restore it, or old checkpoints will have no key to check them with"
  )
