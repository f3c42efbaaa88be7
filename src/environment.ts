/** One environment variable: its name, how its text becomes a value, and the error if the text is invalid. */

import { Config, Effect, Option, Redacted, Schema } from "effect"
import { createPrivateKey, type KeyObject } from "node:crypto"
import { BlockList, isIP } from "node:net"
import { resolve } from "node:path"
import { databaseServersMax, pepperBytesMin } from "./limits.ts"

/** An invalid variable, which prevents startup. Its message is one line with the same structure for every variable. */
export class WrongVariable extends Schema.TaggedError<WrongVariable>()("WrongVariable", {
  name: Schema.String,
  problem: Schema.String,
  accepted: Schema.String
}) {
  override get message(): string {
    return `${this.name} ${this.problem}; give ${this.accepted}`
  }
}

export interface Variable<A> {
  readonly name: string
  /** Completes the sentence "give …". */
  readonly accepted: string
  /** Undefined if the text is invalid. */
  readonly read: (text: string) => A | undefined
  /** Messages do not show the value. */
  readonly secret?: true
}

/**
 * None if the variable is unset. An empty variable is invalid and not unset: otherwise a secret that was not injected would silently become
 * the default.
 */
export const readVariable = <A>(
  variable: Variable<A>
): Effect.Effect<Option.Option<A>, WrongVariable | Config.ConfigError> =>
  Effect.flatMap(Config.option(Config.String(variable.name)), (found) => {
    if (Option.isNone(found)) return Effect.succeedNone
    const value = found.value.trim() === "" ? undefined : variable.read(found.value)
    return value === undefined ? Effect.fail(wrongVariable(variable, found.value)) : Effect.succeedSome(value)
  })

const wrongVariable = ({ accepted, name, secret }: Variable<unknown>, text: string): WrongVariable =>
  new WrongVariable({
    name,
    problem: text.trim() === "" ? "is empty" : secret ? "is not in the accepted form" : `is ${quoted(text)}`,
    accepted
  })

/** Quotes the text on one line, cut to 60 characters. */
const quoted = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)

// The readers of variables: turn text into a value, or undefined if it is invalid.

export const integerFrom =
  (min: number, max: number) =>
  (text: string): number | undefined => {
    const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  }

export const literalOf =
  <const A extends ReadonlyArray<string>>(values: A) =>
  (text: string): A[number] | undefined =>
    values.find((value) => value === text)

export const host = (text: string): string | undefined =>
  isIP(text) !== 0 ||
  /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i.test(text)
    ? text
    : undefined

const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host)

/** Whether pages on which people type a key require https. Only loopback listeners and https URLs do not. */
export const pagesNeedHttps = (host: string, url: string | null): boolean =>
  !isLoopback(host) && !(url ?? "").startsWith("https:")

/** A URL without a path, because cookies and links of the console start at its root. */
export const origin = (text: string): string | undefined => {
  const url = publicUrl(text)
  return url !== undefined && new URL(url).pathname === "/" ? url : undefined
}

/** Without a trailing slash, so that paths can be appended. */
export const publicUrl = (text: string): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // `URL` drops an empty query or fragment, so the text itself is checked for `?` and `#`.
  const plain = url !== undefined && url.username + url.password === "" && !/[?#]/.test(text)
  return plain && /^https?:$/.test(url.protocol) ? url.href.replace(/\/+$/, "") : undefined
}

/** A URL needs brackets around an IPv6 address. */
export const urlOf = (host: string, port: number): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`

/** An absolute path. pg_ctl passes it to a shell in double quotes, so it must not contain characters that are special there. */
export const folder = (text: string): string | undefined =>
  /["$`\n\r]/.test(text) ? undefined : resolve(text)

export const postgresUrl = (text: string): Redacted.Redacted | undefined =>
  databaseServers(text) === undefined ? undefined : Redacted.make(text)

/**
 * One URL for each server that a URL names. As in libpq, commas separate several hosts, either before the database's name, each with its
 * port, or in the parameters `host` and `port`. Undefined if the text is not such a URL.
 */
export const databaseServers = (text: string): ReadonlyArray<string> | undefined => {
  const [, scheme, user = "", hosts = "", rest = ""] =
    /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#@]*)(.*)$/i.exec(text) ?? []
  if (scheme === undefined) return undefined
  const urls = hosts.split(",").map((host) => `${scheme}${user}${host}${rest}`)
  if (!urls.every((url) => URL.canParse(url)) || (urls.length > 1 && /(^|,)(,|$)/.test(hosts)))
    return undefined
  const [url] = urls.map((url) => new URL(url))
  const named = url?.searchParams.get("host")?.split(",") ?? []
  if (url === undefined || (named.length > 0 && urls.length > 1)) return undefined
  const servers = named.length > 1 ? serversInParameters(url, named) : urls
  if (servers === undefined || servers.length <= 1) return servers
  const wanted = url.searchParams.get("target_session_attrs") ?? "read-write"
  const known = servers.length <= databaseServersMax && ["read-write", "primary"].includes(wanted)
  return known ? servers : undefined
}

const serversInParameters = (url: URL, hosts: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  const ports = url.searchParams.get("port")?.split(",") ?? []
  if (hosts.includes("") || (ports.length > 1 && ports.length !== hosts.length)) return undefined
  return hosts.map((host, place) => {
    const server = new URL(url)
    server.searchParams.set("host", host)
    const port = ports[place] ?? ports[0]
    if (port !== undefined) server.searchParams.set("port", port)
    return server.href
  })
}

/** Addresses and CIDR ranges. */
export const addresses = (text: string): ReadonlyArray<string> | undefined => {
  const parts = text.split(",").map((part) => part.trim())
  return parts.every(isAddressOrRange) ? parts : undefined
}

const isAddressOrRange = (part: string): boolean => {
  const [address = "", bits, ...rest] = part.split("/")
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  if (bits === undefined) return true
  if (!/^[0-9]{1,3}$/.test(bits) || Number(bits) > (version === 4 ? 32 : 128)) return false
  new BlockList().addSubnet(address, Number(bits), version === 4 ? "ipv4" : "ipv6")
  return true
}

export type Peppers = readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]

/**
 * Newest first. An API key has 256 random bits, so its hash needs no strong pepper. Webhook secrets do, so a truncated pepper must be
 * rejected.
 */
export const peppers = (text: string): Peppers | undefined => {
  const [newest = "", ...older] = text.split(",").map((part) => part.trim())
  if ([newest, ...older].some((part) => Buffer.byteLength(part) < pepperBytesMin)) return undefined
  return [Redacted.make(newest), ...older.map((part) => Redacted.make(part))]
}

/** The bytes before the seed in the PKCS #8 form of an Ed25519 key. */
const ed25519Prefix = Buffer.from("302e020100300506032b657004220420", "hex")

const privateKeyOf = (text: string): KeyObject =>
  /^\s*[A-Za-z0-9+/_-]{43}=?\s*$/.test(text)
    ? createPrivateKey({
        key: Buffer.concat([ed25519Prefix, Buffer.from(text.trim(), "base64")]),
        format: "der",
        type: "pkcs8"
      })
    : createPrivateKey(text)

/** An Ed25519 key as PKCS #8 in PEM, given in that form or as a base64 seed of 32 bytes. */
export const ed25519Key = (text: string): Redacted.Redacted | undefined => {
  try {
    const key = privateKeyOf(text)
    return key.asymmetricKeyType === "ed25519"
      ? Redacted.make(key.export({ format: "pem", type: "pkcs8" }).toString())
      : undefined
  } catch {
    return undefined
  }
}

/** `whsec_` and at least 24 bytes in base64 (Standard Webhooks 1.0). */
export const webhookSecret = (text: string): Redacted.Redacted | undefined =>
  /^whsec_(?:[A-Za-z0-9+/]{4}){8,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)
    ? Redacted.make(text)
    : undefined

export const semver = (text: string): string | undefined =>
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$/.test(text) ? text : undefined
