/** Whether an address is one of the internet's own: global unicast, set aside for nothing by IANA. */

import ipaddr from "ipaddr.js"
import { isIP } from "node:net"

/** All that is handed out for the internet in IPv6; what lies outside is local, reserved or an IPv4 address in disguise. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

/**
 * The address as what it means: IPv4 mapped into IPv6 is IPv4. Null for what is no address in its usual spelling, and
 * for one with a zone, which is local by its nature.
 */
const meant = (address: string) =>
  isIP(address) === 0 || address.includes("%") ? null : ipaddr.process(address)

/**
 * True for what can be somebody's server on the internet. Special addresses are refused also where the registries call
 * them globally reachable (translators, tunnels, anycast services): no receiver listens there.
 */
export const isGlobal = (address: string): boolean => {
  const ip = meant(address)
  if (ip === null || ip.range() !== "unicast") return false
  return ip.kind() === "ipv4" || ip.match(globalUnicast)
}

/** True for addresses that lead to this machine: 127.0.0.0/8 and ::1. */
export const isLoopback = (address: string): boolean => meant(address)?.range() === "loopback"
