/** Whether a URL may be a webhook's, and which addresses a request to it may reach. */

import { Result } from "effect"
import ipaddr from "ipaddr.js"
import { isIP } from "node:net"
import { webhookUrlMax } from "../../limits.ts"

/** The empty port is the scheme's own. */
const ports = ["", "443", "8443"]

/** Lower case and punycode are the URL parser's work. */
const publicName = /^(?=.{4,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}$/

/** Domains that exist inside networks only: RFC 6761, 6762, 8375 and ICANN's `internal`. */
const internalDomain = /(?:^|\.)(?:localhost|localdomain|local|internal|home\.arpa)$/

/**
 * The URL as it will be requested, or what is wrong with it: a phrase that follows the name of the field and repeats
 * nothing of the text. What a name leads to is looked at when it is connected to, every time.
 *
 * Contract 4: a permitted loopback is http's alone.
 */
export const checkUrl = (text: string, options: EgressOptions): Result.Result<URL, string> =>
  Result.flatMap(checkTarget(text, options), (url) =>
    url.protocol === "https:" && isPermittedLoopback(url, options)
      ? Result.fail("must start with http:// where it leads to this machine")
      : Result.succeed(url)
  )

/** What holds of every URL that is posted to, whatever may be registered. */
export const checkTarget = (text: string, options: EgressOptions): Result.Result<URL, string> => {
  const wrongText = problemOfText(text)
  if (wrongText !== null) return Result.fail(wrongText)
  const url = URL.parse(text)
  if (url === null) return Result.fail("must be a URL with a valid host and port")
  const problem = url.href.length > webhookUrlMax ? tooLong : problemOfUrl(url, options)
  return problem === null ? Result.succeed(url) : Result.fail(problem)
}

const tooLong = `must have at most ${webhookUrlMax.toLocaleString("en-US")} characters`

/** What the URL parser would mend or drop silently, so that one reader would see another URL than the next. */
const problemOfText = (text: string): string | null => {
  if (text.length > webhookUrlMax) return tooLong
  if (/[\s\p{Cc}\\]/u.test(text)) return "must not contain spaces, control characters or backslashes"
  const [, authority] = /^https?:\/\/([^/?#]*)/i.exec(text) ?? []
  if (authority === undefined || authority === "") return "must be a URL that starts with https:// and a host"
  if (authority.includes("@")) return "must not contain a user name or a password"
  if (text.includes("#")) return "must not contain a fragment"
  return null
}

const problemOfUrl = (url: URL, options: EgressOptions): string | null => {
  if (isPermittedLoopback(url, options)) return null
  if (url.protocol !== "https:") return "must start with https://"
  if (!ports.includes(url.port)) return "must use port 443 or 8443"
  const address = literalAddress(url)
  if (address !== null)
    return reachableAddresses(url, options)(address)
      ? null
      : "must not lead to an address outside the public internet"
  return publicName.test(url.hostname) && !internalDomain.test(url.hostname)
    ? null
    : "must name a host on the public internet"
}

/** Where a webhook's requests may go: to the internet, or, in development, to this machine and nowhere else. */
export interface EgressOptions {
  /** `loopback` permits http and https to this machine, on every port (WEBHOOK_ALLOW_INSECURE). */
  readonly allowInsecure: "loopback" | null
}

/** The address that stands in a URL, null where a name does. The URL parser has brought every spelling into one. */
export const literalAddress = (url: URL): string | null => {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1")
  return isIP(host) === 0 ? null : host
}

/** Whether the URL leads to this machine, and may. */
export const isPermittedLoopback = (url: URL, { allowInsecure }: EgressOptions): boolean => {
  if (allowInsecure !== "loopback") return false
  const address = literalAddress(url)
  return address === null ? url.hostname === "localhost" : isLoopback(address)
}

/** The addresses that this URL may lead to. */
export const reachableAddresses = (url: URL, options: EgressOptions): ((address: string) => boolean) =>
  isPermittedLoopback(url, options) ? isLoopback : isGlobal

/**
 * Whether an address is one of the internet's own: global unicast, set aside for nothing by IANA.
 * All that is handed out for the internet in IPv6; what lies outside is local, reserved or an IPv4 address in disguise.
 */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

/**
 * The address as what it means: IPv4 mapped into IPv6 is IPv4. Null for what is no address in its usual spelling, and
 * for one with a zone, which is local by its nature.
 */
const parseAddress = (address: string) =>
  isIP(address) === 0 || address.includes("%") ? null : ipaddr.process(address)

/**
 * True for what can be somebody's server on the internet. Special addresses are refused also where the registries call
 * them globally reachable (translators, tunnels, anycast services): no receiver listens there.
 */
export const isGlobal = (address: string): boolean => {
  const ip = parseAddress(address)
  if (ip === null || ip.range() !== "unicast") return false
  return ip.kind() === "ipv4" || ip.match(globalUnicast)
}

/** True for addresses that lead to this machine: 127.0.0.0/8 and ::1. */
export const isLoopback = (address: string): boolean => parseAddress(address)?.range() === "loopback"
