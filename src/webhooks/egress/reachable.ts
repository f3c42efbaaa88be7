/** Where a webhook's requests may go: to the internet, or, in development, to this machine and nowhere else. */

import { isIP } from "node:net"
import { isGlobal, isLoopback } from "./globalAddress.ts"

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
export const reachable = (url: URL, options: EgressOptions): ((address: string) => boolean) =>
  isPermittedLoopback(url, options) ? isLoopback : isGlobal
