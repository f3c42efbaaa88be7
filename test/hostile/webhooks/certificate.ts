/** X.509 certificates made by hand (RFC 5280), good and bad, so that no test needs a tool that is not installed. */

import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { isIPv4 } from "node:net"

export interface Certificate {
  readonly name: string
  readonly pem: string
  readonly key: KeyObject
}

interface CertificateOptions {
  /** The name of subject and issuer. */
  readonly name: string
  /** Host names and IPv4 addresses that it is for. */
  readonly hosts?: ReadonlyArray<string>
  /** Null signs with its own key. */
  readonly issuer?: Certificate | null
  readonly authority?: boolean
  readonly from?: Date
  readonly until?: Date
}

const der = (tag: number, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const content = Buffer.concat(parts)
  const size = content.length.toString(16)
  const sizeBytes = Buffer.from(size.padStart(size.length + (size.length % 2), "0"), "hex")
  const length = content.length < 128 ? sizeBytes : Buffer.from([0x80 | sizeBytes.length, ...sizeBytes])
  return Buffer.concat([Buffer.from([tag]), length, content])
}

const sequence = (...parts: ReadonlyArray<Uint8Array>) => der(0x30, ...parts)
const text = (tag: number, value: string) => der(tag, Buffer.from(value, "latin1"))
const time = (at: Date) => text(0x18, `${at.toISOString().replace(/\D/g, "").slice(0, 14)}Z`)
const identifier = (hex: string) => der(0x06, Buffer.from(hex, "hex"))

const ecdsaWithSha256 = sequence(identifier("2a8648ce3d040302"))
const commonName = identifier("550403")
const basicConstraints = identifier("551d13")
const subjectAltName = identifier("551d11")

const named = (name: string) => sequence(der(0x31, sequence(commonName, text(0x0c, name))))
const alternative = (host: string) =>
  isIPv4(host) ? der(0x87, Buffer.from(host.split(".").map(Number))) : text(0x82, host)

const day = 86_400_000

export const certificate = ({
  authority = false,
  from = new Date(Date.now() - day),
  hosts = [],
  issuer = null,
  name,
  until = new Date(Date.now() + day)
}: CertificateOptions): Certificate => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const critical = der(0x01, Buffer.from([0xff]))
  const constraints = sequence(
    basicConstraints,
    critical,
    der(0x04, authority ? sequence(critical) : sequence())
  )
  const alternatives = sequence(subjectAltName, der(0x04, sequence(...hosts.map(alternative))))
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1, ...Buffer.from(`${name}${Math.random()}`).subarray(0, 18)])),
    ecdsaWithSha256,
    named(issuer?.name ?? name),
    sequence(time(from), time(until)),
    named(name),
    publicKey.export({ format: "der", type: "spki" }),
    der(0xa3, hosts.length === 0 ? sequence(constraints) : sequence(constraints, alternatives))
  )
  const signature = sign("sha256", signed, issuer?.key ?? privateKey)
  const whole = sequence(signed, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature))
  return {
    name,
    pem: `-----BEGIN CERTIFICATE-----\n${whole.toString("base64")}\n-----END CERTIFICATE-----\n`,
    key: privateKey
  }
}
