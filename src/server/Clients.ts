/** The clients of a server: the address by which each is counted, and how many connections or requests each address may hold. */

import { Context } from "effect"
import { randomBytes } from "node:crypto"
import type { IncomingMessage, Server } from "node:http"
import { BlockList, isIPv4, isIPv6, type Socket } from "node:net"
import { heldPerAddressMax } from "../limits.ts"
import { overloadRejected } from "../metrics.ts"

/** How many connections (or requests, for clients of a trusted proxy) each address may hold at once. */
export class HeldPerAddressMax extends Context.Reference<number>("action-risk/server/HeldPerAddressMax", {
  defaultValue: () => heldPerAddressMax
}) {}

export interface Clients {
  /** The address by which the rate limit counts the client of a request. */
  readonly ofRequest: (request: Pick<IncomingMessage, "headers" | "socket">) => string
  /** The same for bytes that were not a valid request. */
  readonly ofSocket: (socket: Socket) => string
  /** The slot of a new connection; null if its address already holds the maximum. */
  readonly holdConnection: (socket: Socket) => Held | null
  /**
   * The same for a request. Only a request through a trusted proxy needs a slot, because the proxy's connections do not belong to the
   * client.
   */
  readonly holdRequest: (request: IncomingMessage) => Held | null
}

interface Held {
  readonly release: () => void
}

/** The slot of something that is not counted. */
export const nothing: Held = { release: () => undefined }

/**
 * The header by which another listener of this process names the client on whose behalf it asks. The secret is new at each start and never
 * leaves the process.
 */
const onBehalfOf = "action-risk-on-behalf-of"
const onBehalfSecret = randomBytes(32).toString("base64url")

/** The header of a request that another listener of this process sends on behalf of its own client. */
export const sentFor = (address: string): Readonly<Record<string, string>> => ({
  [onBehalfOf]: `${onBehalfSecret} ${address}`
})

/** Undefined if this process did not send the request itself. */
const clientBehind = (header: unknown): string | undefined => {
  const prefix = `${onBehalfSecret} `
  return typeof header === "string" && header.startsWith(prefix) ? header.slice(prefix.length) : undefined
}

export const makeClients = (proxies: ReadonlyArray<string>, max: number): Clients => {
  const trusted = trustedProxyList(proxies)
  const held = new Map<string, number>()

  const ofRequest: Clients["ofRequest"] = ({ headers, socket }) =>
    clientBehind(headers[onBehalfOf]) ??
    clientAddress(socket.remoteAddress, String(headers["x-forwarded-for"] ?? ""), trusted)
  const ofSocket = (socket: Socket): string => clientAddress(socket.remoteAddress, undefined, trusted)
  const isProxy = ({ remoteAddress }: Socket): boolean => {
    const address = withoutZone(remoteAddress ?? "unknown")
    return proxies.length > 0 && trusted.check(address, addressFamily(address))
  }

  const hold = (address: string): Held | null => {
    const before = held.get(address) ?? 0
    if (before >= max) return null
    held.set(address, before + 1)
    return {
      release: () => {
        const left = (held.get(address) ?? 0) - 1
        if (left > 0) held.set(address, left)
        else held.delete(address)
      }
    }
  }

  return {
    ofRequest,
    ofSocket,
    holdConnection: (socket) => (isProxy(socket) ? nothing : hold(ofSocket(socket))),
    holdRequest: (request) => (isProxy(request.socket) ? hold(ofRequest(request)) : nothing)
  }
}

/** Immediately closes a connection whose address already holds the maximum, so that other addresses find room. */
export const boundConnections = (server: Server, clients: Clients): void => {
  server.prependListener("connection", (socket) => {
    const held = clients.holdConnection(socket)
    if (held !== null) {
      socket.once("close", held.release)
      return
    }
    overloadRejected()
    socket.destroy()
  })
}

const groups = (part: string) => (part === "" ? [] : part.split(":"))

/** The first four groups of an IPv6 address, because providers usually give one customer a whole /64. */
const prefix64 = (address: string): string => {
  const [head = "", tail] = address.split("::")
  const front = groups(head)
  const back = tail === undefined ? [] : groups(tail)
  const zeros = tail === undefined ? 0 : 8 - front.length - back.length
  const all = [...front, ...Array.from({ length: zeros }, () => "0"), ...back]
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")
}

/** Removes the zone, and converts an IPv4-mapped IPv6 address to IPv4. */
const withoutZone = (address: string): string => {
  const [bare = ""] = address.split("%")
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare
}

/** The address as counted by the rate limit: an IPv4 address, or the /64 of an IPv6 address. */
const countedAddress = (address: string): string => {
  if (isIPv4(address)) return address
  return isIPv6(address) ? `${prefix64(address)}::/64` : "unknown"
}

const addressFamily = (address: string) => (isIPv4(address) ? "ipv4" : "ipv6")

/** Addresses and CIDR ranges as one list. The configuration has already validated them. */
const trustedProxyList = (proxies: ReadonlyArray<string>): BlockList => {
  const list = new BlockList()
  for (const proxy of proxies) {
    const [address = "", bits] = proxy.split("/")
    if (bits === undefined) list.addAddress(address, addressFamily(address))
    else list.addSubnet(address, Number(bits), addressFamily(address))
  }
  return list
}

/**
 * The address by which the rate limit counts a client: the peer's address or, if the peer is a trusted proxy, the last address in
 * `x-forwarded-for` that is not a trusted proxy. Everything to the left of it could have been written by the client.
 */
const clientAddress = (
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: BlockList
): string => {
  let address = withoutZone(peer ?? "unknown")
  const hops = (forwardedFor ?? "").split(",")
  while (trusted.check(address, addressFamily(address)) && hops.length > 0) {
    const hop = withoutZone(hops.pop()?.trim() ?? "")
    if (!isIPv4(hop) && !isIPv6(hop)) break
    address = hop
  }
  return countedAddress(address)
}
