/** Requests to the API of a service as the commands that do the same: `DELETE /repos/acme/shop` is `gh repo delete`. */

import type { HttpRequest } from "./CommandSession.ts"
import type { PreparedCommands } from "./Commands.ts"
import { hostIn, isUnconfirmedAddress } from "./landing.ts"
import { globFits } from "./paths.ts"

export interface PreparedRequest {
  /** Undefined: any. */
  readonly methods: ReadonlySet<string> | undefined
  readonly segments: ReadonlyArray<string>
  readonly command: string
  /** Patterns of what is sent, of which one has to fit. Undefined: anything. */
  readonly sent: ReadonlyArray<string> | undefined
}

export interface PreparedApi {
  readonly hosts: ReadonlyArray<string>
  readonly base: ReadonlyArray<string>
  readonly requests: ReadonlyArray<PreparedRequest>
}

/** The segments of a path that stand for a `*`; undefined if the path is another one. */
const namedIn = (
  pattern: ReadonlyArray<string>,
  path: ReadonlyArray<string>
): ReadonlyArray<string> | undefined => {
  const isOpen = pattern.at(-1) === "**"
  const fixed = isOpen ? pattern.slice(0, -1) : pattern
  if (isOpen ? path.length < fixed.length : path.length !== fixed.length) return undefined
  if (!fixed.every((glob, i) => globFits(glob, path[i] ?? ""))) return undefined
  return path.filter((_, i) => fixed[i]?.includes("*"))
}

/** `-f private=false` and `{"private": false}` become `private:false`. */
const plainText = (text: string): string => text.replace(/[\s"'\\]+/g, "").replaceAll("=", ":")

/** A segment that is no name, such as a variable, is left out of a command. */
const plainSegment = /^[\w.@:-]+$/

/** The command that does the same as a request to a known service. A place for development is read by its address alone. */
export const commandOfRequest = (
  { body, method, url }: HttpRequest,
  { apis, landings }: Pick<PreparedCommands, "apis" | "landings">
): string | undefined => {
  if (!/^https?:\/\//i.test(url) || !isUnconfirmedAddress(url, landings)) return undefined
  const host = hostIn(url)
  const [, path = "", query = ""] = /^https?:\/\/[^/?#]*([^?#]*)\??([^#]*)/i.exec(url) ?? []
  const segments = path.split("/").filter((segment) => segment !== "")
  const sent = plainText(`${query} ${body}`)
  for (const api of apis) {
    if (!api.hosts.some((glob) => globFits(glob, host))) continue
    for (const request of api.requests) {
      if (request.methods?.has(method.toUpperCase()) === false) continue
      const names = namedIn([...api.base, ...request.segments], segments)
      if (names === undefined) continue
      if (request.sent?.some((glob) => globFits(`*${glob}*`, sent)) === false) continue
      return request.command.replace(/\{(\d)\}/g, (_, place: string) => {
        const name = names[Number(place) - 1] ?? ""
        return plainSegment.test(name) ? name : "x"
      })
    }
  }
  return undefined
}
