/** Which addresses count as on the internet, compared with IANA's registries of special addresses row by row. */

import { describe, expect, it } from "vitest"
import {
  type EgressOptions,
  isGlobal,
  isLoopback,
  reachableAddresses
} from "../../../src/webhooks/egress/checkUrl.ts"

type Row = readonly [block: string, name: string, first: string, last: string]

/** https://www.iana.org/assignments/iana-ipv4-special-registry, and multicast from the register of the whole space. */
const special4: ReadonlyArray<Row> = [
  ["0.0.0.0/8", "this network", "0.0.0.0", "0.255.255.255"],
  ["10.0.0.0/8", "private", "10.0.0.0", "10.255.255.255"],
  ["100.64.0.0/10", "carriers' shared space", "100.64.0.0", "100.127.255.255"],
  ["127.0.0.0/8", "loopback", "127.0.0.0", "127.255.255.255"],
  ["169.254.0.0/16", "link local", "169.254.0.0", "169.254.255.255"],
  ["169.254.169.254/32", "clouds' instance data", "169.254.169.254", "169.254.169.254"],
  ["172.16.0.0/12", "private", "172.16.0.0", "172.31.255.255"],
  ["192.0.0.0/24", "protocol assignments", "192.0.0.0", "192.0.0.255"],
  ["192.0.0.8/32", "dummy address", "192.0.0.8", "192.0.0.8"],
  ["192.0.0.9/32", "port control anycast", "192.0.0.9", "192.0.0.9"],
  ["192.0.0.10/32", "traversal anycast", "192.0.0.10", "192.0.0.10"],
  ["192.0.0.170/31", "NAT64 discovery", "192.0.0.170", "192.0.0.171"],
  ["192.0.2.0/24", "documentation", "192.0.2.0", "192.0.2.255"],
  ["192.31.196.0/24", "AS112", "192.31.196.0", "192.31.196.255"],
  ["192.52.193.0/24", "multicast tunnels", "192.52.193.0", "192.52.193.255"],
  ["192.88.99.0/24", "6to4 relays", "192.88.99.0", "192.88.99.255"],
  ["192.168.0.0/16", "private", "192.168.0.0", "192.168.255.255"],
  ["192.175.48.0/24", "AS112", "192.175.48.0", "192.175.48.255"],
  ["198.18.0.0/15", "benchmarks", "198.18.0.0", "198.19.255.255"],
  ["198.51.100.0/24", "documentation", "198.51.100.0", "198.51.100.255"],
  ["203.0.113.0/24", "documentation", "203.0.113.0", "203.0.113.255"],
  ["224.0.0.0/4", "multicast", "224.0.0.0", "239.255.255.255"],
  ["240.0.0.0/4", "reserved", "240.0.0.0", "255.255.255.254"],
  ["255.255.255.255/32", "broadcast", "255.255.255.255", "255.255.255.255"]
]

/** https://www.iana.org/assignments/iana-ipv6-special-registry, and what lies outside of 2000::/3. */
const special6: ReadonlyArray<Row> = [
  ["::1/128", "loopback", "::1", "::1"],
  ["::/128", "unspecified", "::", "::"],
  ["::/96", "IPv4-compatible", "::2", "::ffff:ffff"],
  ["::ffff:0:0:0/96", "translated IPv4", "::ffff:0:0:0", "::ffff:0:ffff:ffff"],
  ["64:ff9b::/96", "NAT64", "64:ff9b::", "64:ff9b::ffff:ffff"],
  ["64:ff9b:1::/48", "local NAT64", "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"],
  ["100::/64", "discard", "100::", "100::ffff:ffff:ffff:ffff"],
  ["100:0:0:1::/64", "dummy prefix", "100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff"],
  ["2001::/23", "protocol assignments", "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001::/32", "Teredo", "2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:1::1/128", "port control anycast", "2001:1::1", "2001:1::1"],
  ["2001:1::2/128", "traversal anycast", "2001:1::2", "2001:1::2"],
  ["2001:1::3/128", "service registration anycast", "2001:1::3", "2001:1::3"],
  ["2001:2::/48", "benchmarks", "2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff"],
  ["2001:3::/32", "multicast tunnels", "2001:3::", "2001:3:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:4:112::/48", "AS112", "2001:4:112::", "2001:4:112:ffff:ffff:ffff:ffff:ffff"],
  ["2001:10::/28", "ORCHID, deprecated", "2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:20::/28", "ORCHIDv2", "2001:20::", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:30::/28", "drone remote ids", "2001:30::", "2001:3f:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:db8::/32", "documentation", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2002::/16", "6to4", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2620:4f:8000::/48", "AS112", "2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff"],
  ["3fff::/20", "documentation", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["4000::/2", "unassigned", "4000::", "5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["5f00::/16", "segment routing", "5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["8000::/1", "unassigned", "8000::", "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["fc00::/7", "unique local", "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["fd00:ec2::254/128", "clouds' instance data", "fd00:ec2::254", "fd00:ec2::254"],
  ["fe80::/10", "link local", "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["fec0::/10", "site local", "fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["ff00::/8", "multicast", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"]
]

/** The addresses next to the blocks above, and some well-known ones. */
const onTheInternet = [
  "1.0.0.0",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.0",
  "169.253.255.255",
  "169.255.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "191.255.255.255",
  "192.0.1.0",
  "192.0.3.0",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "198.51.99.255",
  "203.0.114.0",
  "223.255.255.255",
  "2000::",
  "2001:200::",
  "2001:db7:ffff::1",
  "2001:db9::1",
  "2003::1",
  "2606:4700:4700::1111",
  "2620:4f:8001::1",
  "3ffe:ffff::1",
  "3fff:1000::1"
]

describe("isGlobal", () => {
  it.each([...special4, ...special6])("refuses %s, %s, from %s to %s", (_block, _name, first, last) => {
    expect([first, last].filter(isGlobal)).toEqual([])
  })

  it.each(special4)("refuses %s, %s, also when mapped into IPv6", (_block, _name, first, last) => {
    expect([`::ffff:${first}`, `::FFFF:${last}`].filter(isGlobal)).toEqual([])
  })

  it.each(onTheInternet)("accepts %s", (address) => {
    expect(isGlobal(address)).toBe(true)
  })

  it("judges IPv4 mapped into IPv6 as IPv4, as dual sockets spell their peers", () => {
    expect(["::ffff:8.8.8.8", "::ffff:808:808", "0:0:0:0:0:ffff:8.8.8.8"].filter(isGlobal)).toHaveLength(3)
    expect(["::ffff:127.0.0.1", "::ffff:7f00:1", "0:0:0:0:0:ffff:a9fe:a9fe"].filter(isGlobal)).toEqual([])
  })

  it.each([
    "",
    "localhost",
    "8.8.8.8.",
    " 8.8.8.8",
    "8.8.8.8/32",
    "010.8.8.8",
    "134744072",
    "0x8.8.8.8",
    "8.8",
    "[2600::1]",
    "2600::1%eth0",
    "fe80::1%1",
    "2600::1::1",
    "２600::1",
    "8.8.8.8\u0000"
  ])("refuses %j, which is not an address as one is spelled", (text) => {
    expect(isGlobal(text)).toBe(false)
    expect(isLoopback(text)).toBe(false)
  })
})

describe("isLoopback", () => {
  it("holds for this machine's addresses", () => {
    expect(["127.0.0.1", "127.255.255.255", "::1", "::ffff:127.0.0.1"].every(isLoopback)).toBe(true)
  })

  it("holds for no other", () => {
    expect(
      ["0.0.0.0", "::", "126.255.255.255", "128.0.0.0", "::2", "::7f00:1", "8.8.8.8"].filter(isLoopback)
    ).toEqual([])
  })
})

const addresses = ["127.0.0.1", "::1", "8.8.8.8", "2606:4700::1", "10.0.0.1", "169.254.169.254", "0.0.0.0"]
const reached = (url: string, allowInsecure: EgressOptions["allowInsecure"]) =>
  addresses.filter(reachableAddresses(new URL(url), { allowInsecure }))

const thisMachine = ["127.0.0.1", "::1"]
const theInternet = ["8.8.8.8", "2606:4700::1"]

describe("a URL leads", () => {
  it.each(["https://hooks.example.com/", "http://localhost/", "https://127.0.0.1/", "http://[::1]/"])(
    "only to the internet: %s",
    (url) => {
      expect(reached(url, null)).toEqual(theInternet)
    }
  )

  it.each(["http://localhost:4000/", "http://127.0.0.9/", "http://[::1]/"])(
    "only to this machine where that is permitted and the URL leads there by http: %s",
    (url) => {
      expect(reached(url, "loopback")).toEqual(thisMachine)
    }
  )

  it.each([
    "https://hooks.example.com/",
    "http://a.localhost/",
    "https://10.0.0.1/",
    "https://[::1]/",
    "https://localhost/"
  ])(
    "only to the internet where this machine is permitted and the URL does not lead there by http: %s",
    (url) => {
      expect(reached(url, "loopback")).toEqual(theInternet)
    }
  )
})
