/** Encrypts what signs webhooks with the operator's peppers: a copy of the database alone signs nothing. */

import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"
import { Secrets } from "../Secrets.ts"
import type { Owner } from "../assessments/AssessmentRecord.ts"

/** What is encrypted for one endpoint cannot be read as another's. */
export interface SecretContext extends Owner {
  readonly endpointId: string
}

/** `unknown_pepper`: it was sealed under a pepper that this process was not given. */
export class SecretUnreadable extends Schema.TaggedError<SecretUnreadable>()("SecretUnreadable", {
  reason: Schema.Literals(["unknown_pepper", "damaged"])
}) {}

/** The first bytes of what is sealed: which pepper it was sealed under, as far as a derived mark tells. */
const markBytes = 8
const nonceBytes = 12
const tagBytes = 16

interface SealingKey {
  readonly mark: Buffer
  readonly key: Buffer
}

const derive = (pepper: Redacted.Redacted, what: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync("sha256", Redacted.value(pepper), "", `action-risk webhook secrets: ${what}`, bytes))

const sealingKey = (pepper: Redacted.Redacted): SealingKey => ({
  mark: derive(pepper, "mark", markBytes),
  key: derive(pepper, "key", 32)
})

/** UUIDs in the one spelling that PostgreSQL gives back. */
const associated = ({ endpointId, mode, organizationId }: SecretContext): Buffer =>
  Buffer.from(`${organizationId} ${mode} ${endpointId}`.toLowerCase())

const encrypt = ({ key, mark }: SealingKey, context: SecretContext, text: string): Uint8Array => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(associated(context))
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
  return Buffer.concat([mark, nonce, encrypted, cipher.getAuthTag()])
}

const decrypt = ({ key }: SealingKey, context: SecretContext, sealed: Buffer): string => {
  const nonce = sealed.subarray(markBytes, markBytes + nonceBytes)
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes })
    .setAAD(associated(context))
    .setAuthTag(sealed.subarray(-tagBytes))
  const encrypted = sealed.subarray(markBytes + nonceBytes, -tagBytes)
  return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString("utf8")
}

export class WebhookSecrets extends Context.Service<
  WebhookSecrets,
  {
    /** AES-256-GCM under the newest pepper; the bytes differ every time. */
    readonly seal: (context: SecretContext, secret: Redacted.Redacted) => Uint8Array
    /** Under any of the peppers. */
    readonly open: (
      context: SecretContext,
      sealed: Uint8Array
    ) => Effect.Effect<Redacted.Redacted, SecretUnreadable>
    /** How everything begins that was sealed under the newest pepper. */
    readonly newestMark: Uint8Array
  }
>()("action-risk/storage/WebhookSecrets") {
  /** Needs `Secrets`. */
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
            // Its cause could only say that the tag does not fit.
            catch: () => new SecretUnreadable({ reason: "damaged" })
          })
        }
      })
    })
  )
}
