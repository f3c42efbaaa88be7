/** The clients of a server: the address that each is counted by, and how much each address may hold. */

import { Context } from "effect"
import { randomBytes } from "node:crypto"
import type { IncomingMessage, Server } from "node:http"
import { BlockList, isIPv4, isIPv6, type Socket } from "node:net"
import { heldPerAddressMax } from "../limits.ts"
import { overloadRejected } from "../metrics.ts"

/** How many connections, or behind a trusted proxy requests, each address may hold at once. */
export class HeldPerAddressMax extends Context.Reference<number>("action-risk/server/HeldPerAddressMax", {
  defaultValue: () => heldPerAddressMax
}) {}

export interface Clients {
  /** The address that the rate limit counts the client of a request by. */
  readonly ofRequest: (request: Pick<IncomingMessage, "headers" | "socket">) => string
  /** The same for bytes that were no request. */
  readonly ofSocket: (socket: Socket) => string
  /** The share of a new connection; null if its address holds as many as it may. */
  readonly holdConnection: (socket: Socket) => Held | null
  /** The same for a request. Only one that came through a trusted proxy holds anything: the proxy's connections are not the client's. */
  readonly holdRequest: (request: IncomingMessage) => Held | null
}

interface Held {
  readonly release: () => void
}

/** Held by what is not counted here. */
export const nothing: Held = { release: () => undefined }

/** Headers by which another listener of this process names the client for which it asks. The secret is new at each start and never leaves the process. */
const onBehalfOf = "action-risk-on-behalf-of"
const onBehalfSecret = randomBytes(32).toString("base64url")

/** The header of a request that another listener of this process sends for a client of its own. */
export const sentFor = (address: string): Readonly<Record<string, string>> => ({
  [onBehalfOf]: `${onBehalfSecret} ${address}`
})

/** Undefined where the request was not sent by this process itself. */
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

/** Closes a connection at once whose address holds as many as it may, so that those of others find room. */
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

/** The first four groups of an IPv6 address. A provider usually gives one customer a whole /64. */
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

/** Drops the zone, and turns an IPv4 address mapped into IPv6 into IPv4. */
const withoutZone = (address: string): string => {
  const [bare = ""] = address.split("%")
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare
}

/** The address as the rate limit counts it: an IPv4 address, or the /64 of an IPv6 address. */
const countedAddress = (address: string): string => {
  if (isIPv4(address)) return address
  return isIPv6(address) ? `${prefix64(address)}::/64` : "unknown"
}

const addressFamily = (address: string) => (isIPv4(address) ? "ipv4" : "ipv6")

/** Addresses and CIDR ranges as one list. The configuration has checked them. */
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
 * The address that the rate limit counts a client by: the peer's address, or, if the peer is a trusted proxy, the last
 * address of `x-forwarded-for` that is not a trusted proxy. The client can have written everything to the left of it.
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
