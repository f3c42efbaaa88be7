/** Encrypts the secrets that sign webhooks, under keys derived from the operator's peppers: a copy of the database without the peppers cannot sign anything. */

import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"
import { Secrets } from "../Secrets.ts"
import type { Owner } from "../assessments/AssessmentRecord.ts"

/** A secret encrypted for one endpoint cannot be decrypted for another. */
export interface SecretContext extends Owner {
  readonly endpointId: string
}

/** `unknown_pepper`: the secret was encrypted under a pepper that this process does not have. */
export class SecretUnreadable extends Schema.TaggedError<SecretUnreadable>()("SecretUnreadable", {
  reason: Schema.Literals(["unknown_pepper", "damaged"])
}) {}

/** The first bytes of an encrypted secret. They are derived from its pepper and identify it. */
const markBytes = 8
const nonceBytes = 12
const tagBytes = 16

interface SealingKey {
  readonly mark: Buffer
  readonly key: Buffer
}

const derive = (pepper: Redacted.Redacted, purpose: string, bytes: number): Buffer =>
  Buffer.from(
    hkdfSync("sha256", Redacted.value(pepper), "", `action-risk webhook secrets: ${purpose}`, bytes)
  )

const sealingKey = (pepper: Redacted.Redacted): SealingKey => ({
  mark: derive(pepper, "mark", markBytes),
  key: derive(pepper, "key", 32)
})

/** Lower-case UUIDs, as returned by PostgreSQL. */
const associatedData = ({ endpointId, mode, organizationId }: SecretContext): Buffer =>
  Buffer.from(`${organizationId} ${mode} ${endpointId}`.toLowerCase())

const encrypt = ({ key, mark }: SealingKey, context: SecretContext, text: string): Uint8Array => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(associatedData(context))
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
  return Buffer.concat([mark, nonce, encrypted, cipher.getAuthTag()])
}

const decrypt = ({ key }: SealingKey, context: SecretContext, sealed: Buffer): string => {
  const nonce = sealed.subarray(markBytes, markBytes + nonceBytes)
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes })
    .setAAD(associatedData(context))
    .setAuthTag(sealed.subarray(-tagBytes))
  const encrypted = sealed.subarray(markBytes + nonceBytes, -tagBytes)
  return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString("utf8")
}

export class WebhookSecrets extends Context.Service<
  WebhookSecrets,
  {
    /** AES-256-GCM under the newest pepper. The bytes differ every time. */
    readonly seal: (context: SecretContext, secret: Redacted.Redacted) => Uint8Array
    /** Decrypts under any of the peppers. */
    readonly open: (
      context: SecretContext,
      sealed: Uint8Array
    ) => Effect.Effect<Redacted.Redacted, SecretUnreadable>
    /** The first bytes of everything encrypted under the newest pepper. */
    readonly newestMark: Uint8Array
  }
>()("action-risk/storage/WebhookSecrets") {
  static readonly layer = Layer.effect(
    WebhookSecrets,
    Effect.map(Secrets, ({ keyPeppers: [first, ...others] }) => {
      const newest = sealingKey(first)
      const known = [newest, ...others.map(sealingKey)]
      return WebhookSecrets.of({
        newestMark: newest.mark,
        seal: (context, secret) => encrypt(newest, context, Redacted.value(secret)),
        open: (context, bytes) => {
          const sealed = Buffer.from(bytes)
          const key = known.find(({ mark }) => sealed.subarray(0, markBytes).equals(mark))
          if (key === undefined) return Effect.fail(new SecretUnreadable({ reason: "unknown_pepper" }))
          return Effect.try({
            try: () => Redacted.make(decrypt(key, context, sealed)),
            // The cause is dropped, because it could only say that the tag does not match.
            catch: () => new SecretUnreadable({ reason: "damaged" })
          })
        }
      })
    })
  )
}
