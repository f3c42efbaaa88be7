/** Whether a URL may be a webhook's: https to a host on the internet, spelled without anything that could mislead. */

import { Result } from "effect"
import { webhookUrlMax } from "../../Limits.ts"
import { type EgressOptions, isPermittedLoopback, literalAddress, reachable } from "./reachable.ts"

/** The empty port is the scheme's own. */
const ports = ["", "443", "8443"]

/** Lower case and punycode are the URL parser's work. */
const publicName = /^(?=.{4,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}$/

/** Domains that exist inside networks only: RFC 6761, 6762, 8375 and ICANN's `internal`. */
const insideOnly = /(?:^|\.)(?:localhost|localdomain|local|internal|home\.arpa)$/

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
    return reachable(url, options)(address) ? null : "must not lead to an address outside the public internet"
  return publicName.test(url.hostname) && !insideOnly.test(url.hostname)
    ? null
    : "must name a host on the public internet"
}
