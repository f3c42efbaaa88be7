/** Checks whether a URL is allowed for a webhook, and which addresses a request to it may reach. */

import { Result } from "effect"
import ipaddr from "ipaddr.js"
import { isIP } from "node:net"
import { webhookUrlMax } from "../../limits.ts"

/** The URL parser returns an empty port for the default port of the scheme. */
const ports = ["", "443", "8443"]

/** The URL parser has already converted host names to lower case and punycode. */
const publicName = /^(?=.{4,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}$/

/** Domains that exist only inside private networks: RFC 6761, 6762, 8375 and ICANN's `internal`. */
const internalDomain = /(?:^|\.)(?:localhost|localdomain|local|internal|home\.arpa)$/

/**
 * Returns the URL in the form in which it will be requested, or the problem with it, as a phrase that follows the field's name and repeats
 * no part of the text. The addresses of a host name are checked later, at every connection. A URL is checked when it is registered and
 * again before every POST, because the settings may have changed.
 */
export const checkUrl = (text: string, options: EgressOptions): Result.Result<URL, string> => {
  const wrongText = problemOfText(text)
  if (wrongText !== null) return Result.fail(wrongText)
  const url = URL.parse(text)
  if (url === null) return Result.fail("must be a URL with a valid host and port")
  const problem = url.href.length > webhookUrlMax ? tooLong : problemOfUrl(url, options)
  return problem === null ? Result.succeed(url) : Result.fail(problem)
}

const tooLong = `must have at most ${webhookUrlMax.toLocaleString("en-US")} characters`

/** Finds text that the URL parser would silently repair or drop, so that two parsers could read two different URLs. */
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
  if (options.allowInsecure === "loopback" && leadsToThisMachine(url))
    return "must start with http:// where it leads to this machine"
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

export interface EgressOptions {
  /**
   * Null: webhooks go only to the public internet. `loopback`, for development: also allows http to this machine, on every port
   * (WEBHOOK_ALLOW_INSECURE, contract 4).
   */
  readonly allowInsecure: "loopback" | null
}

/** The IP address in a URL, in the URL parser's normalized spelling; null if the URL has a host name. */
export const literalAddress = (url: URL): string | null => {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1")
  return isIP(host) === 0 ? null : host
}

const leadsToThisMachine = (url: URL): boolean => {
  const address = literalAddress(url)
  return address === null ? url.hostname === "localhost" : isLoopback(address)
}

/** Whether the URL leads to this machine over http and the options permit that. */
export const isPermittedLoopback = (url: URL, { allowInsecure }: EgressOptions): boolean =>
  allowInsecure === "loopback" && url.protocol === "http:" && leadsToThisMachine(url)

/** A predicate for the addresses that a request to this URL may reach. */
export const reachableAddresses = (url: URL, options: EgressOptions): ((address: string) => boolean) =>
  isPermittedLoopback(url, options) ? isLoopback : isGlobal

/** The IPv6 addresses that IANA assigns for the internet. All others are local, reserved, or contain an IPv4 address. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

/**
 * Parses an address, and converts an IPv4-mapped IPv6 address to IPv4. Null for text that is not an address in its usual spelling, and for
 * an address with a zone, which makes it local.
 */
const parseAddress = (address: string) =>
  isIP(address) === 0 || address.includes("%") ? null : ipaddr.process(address)

/**
 * True for an address that a server on the internet can have: global unicast without a special purpose at IANA. Special addresses that the
 * registries call globally reachable (translators, tunnels, anycast services) are rejected too, because no receiver listens there.
 */
export const isGlobal = (address: string): boolean => {
  const ip = parseAddress(address)
  if (ip === null || ip.range() !== "unicast") return false
  return ip.kind() === "ipv4" || ip.match(globalUnicast)
}

/** True for the addresses of this machine: 127.0.0.0/8 and ::1. */
export const isLoopback = (address: string): boolean => parseAddress(address)?.range() === "loopback"
