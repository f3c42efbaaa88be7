/** The address that a client without a valid key is counted by. */

import { BlockList, isIPv4, isIPv6 } from "node:net"

const groups = (part: string) => (part === "" ? [] : part.split(":"))

/** The first four groups of an IPv6 address: what one customer of a provider usually holds. */
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

/** Without a zone; IPv4 mapped into IPv6 is IPv4. */
const plain = (address: string): string => {
  const [bare = ""] = address.split("%")
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare
}

/** One spelling per countable address: IPv4 as it is, IPv6 by its /64. */
const countedAddress = (address: string): string => {
  if (isIPv4(address)) return address
  return isIPv6(address) ? `${prefix64(address)}::/64` : "unknown"
}

const family = (address: string) => (isIPv4(address) ? "ipv4" : "ipv6")

/** Addresses and CIDR ranges as one list; they were checked when the configuration was read. */
export const trusting = (proxies: ReadonlyArray<string>): BlockList => {
  const list = new BlockList()
  for (const proxy of proxies) {
    const [address = "", bits] = proxy.split("/")
    if (bits === undefined) list.addAddress(address, family(address))
    else list.addSubnet(address, Number(bits), family(address))
  }
  return list
}

/**
 * The peer's address, or, where the peer is a trusted proxy, the last address of `x-forwarded-for` that is not one:
 * everything to the left of it was written by the client.
 */
export const clientAddress = (
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: BlockList
): string => {
  let address = plain(peer ?? "unknown")
  const hops = (forwardedFor ?? "").split(",")
  while (trusted.check(address, family(address)) && hops.length > 0) {
    const hop = plain(hops.pop()?.trim() ?? "")
    if (!isIPv4(hop) && !isIPv6(hop)) break
    address = hop
  }
  return countedAddress(address)
}
