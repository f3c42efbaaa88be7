/** URLs that try to lead a request inside: refused before a connection is made, whatever the network would do. */

import { describe, expect, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { connect } from "node:net"
import { checkUrl } from "../../../src/webhooks/egress/checkUrl.ts"
import { postOver } from "../../../src/webhooks/egress/post.ts"
import { receiver } from "./receiver.ts"

/** Spellings that some parser reads as 127.0.0.1. */
const loopback = [
  "127.0.0.1",
  "127.0.0.1.",
  "127.1",
  "127.0.1",
  "127.127",
  "2130706433",
  "017700000001",
  "0x7f000001",
  "0x7F.1",
  "0x7f.0x0.0x0.0x1",
  "0177.0.0.1",
  "0177.0x0.0.01",
  "00000177.1",
  "%31%32%37.0.0.1",
  "%30x7f.1",
  "１２７.０.０.１",
  "①②⑦.⓪.⓪.①",
  "127。0。0。1",
  "127．0．0．1",
  "127｡0｡0｡1",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[::0001]",
  "[::127.0.0.1]",
  "[::7f00:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[0000:0000:0000:0000:0000:FFFF:7F00:0001]",
  "[::ffff:0:127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "[64:ff9b:1::7f00:1]",
  "[2002:7f00:1::]",
  "[2001:0:7f00:1::]",
  "[::1%25lo]",
  "[::1%lo]",
  "localhost",
  "LocalHost",
  "localhost.",
  "loc%61lhost",
  "ｌｏｃａｌｈｏｓｔ",
  "lo\u00adcalhost",
  "a.localhost",
  "a.b.localhost.",
  "localhost.localdomain",
  "0",
  "0.0.0.0",
  "0x0",
  "[::]",
  "[::ffff:0.0.0.0]"
]

/** Other internal addresses. */
const inside = [
  "169.254.169.254",
  "2852039166",
  "0xa9fea9fe",
  "0251.0376.0251.0376",
  "[::ffff:169.254.169.254]",
  "[fd00:ec2::254]",
  "[fe80::1]",
  "[fe80::1%25eth0]",
  "[fec0::1]",
  "[fc00::1]",
  "[ff02::1]",
  "10.0.0.1",
  "012.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "3232235521",
  "100.64.0.1",
  "192.0.0.192",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "4294967295",
  "[2001:db8::1]",
  "[100::1]",
  "[5f00::1]",
  "[4000::1]",
  "metadata.google.internal",
  "metadata.google.internal.",
  "vault.internal",
  "printer.local",
  "router.home.arpa",
  "kubernetes",
  "kubernetes.default.svc.cluster.local",
  "postgres",
  "*.example.com",
  "a..example.com",
  "-.example.com",
  `${"a".repeat(64)}.example.com`,
  `${"a.".repeat(130)}example.com`,
  "256.256.256.256",
  "127.0.0.1.5",
  "0x7f.example.1"
]

/** Where parsers differ in which part is the host. */
const misleading = [
  "https://hooks.example.com@127.0.0.1/",
  "https://127.0.0.1@hooks.example.com/",
  "https://hooks.example.com:443@127.0.0.1/",
  "https://hooks.example.com\\@127.0.0.1/",
  "https://127.0.0.1\\@hooks.example.com/",
  "https://hooks.example.com#@127.0.0.1/",
  "https://127.0.0.1#hooks.example.com/",
  "https://127.0.0.1 .example.com/",
  "https://127.0.0.1\t/",
  "https://127.0.0.1\u0000.example.com/",
  "https://127.0.0.1%00.example.com/",
  "https://127.0.0.1%2f.example.com/",
  "https://127.0.0.1%23.example.com/",
  "https:/127.0.0.1/",
  "https:127.0.0.1",
  "//127.0.0.1/",
  "\\\\127.0.0.1\\share",
  "http://127.0.0.1/",
  "http://hooks.example.com/",
  "https://hooks.example.com:22/",
  "https://hooks.example.com:5432/",
  "https://8.8.8.8:6379/",
  "file:///etc/passwd",
  "file://127.0.0.1/etc/passwd",
  "gopher://127.0.0.1:6379/_INFO",
  "dict://127.0.0.1:11211/stat",
  "ftp://127.0.0.1/",
  "data:text/plain,x",
  "javascript:alert(1)",
  "unix:/var/run/docker.sock",
  "http+unix://%2Fvar%2Frun%2Fdocker.sock/",
  "jar:https://127.0.0.1!/",
  "blob:https://127.0.0.1/x",
  "view-source:https://127.0.0.1/",
  ""
]

const urls = [
  ...[...loopback, ...inside].flatMap((host) => [`https://${host}/hook`, `https://${host}:8443/hook`]),
  ...misleading
]

describe("a URL that tries to lead inside", () => {
  it("is tried in more than a hundred spellings", () => {
    expect(urls.length).toBeGreaterThan(100)
  })

  it.effect.each(urls)("%j is refused at registration and at an attempt, and reaches no server", (url) =>
    Effect.gen(function* () {
      const { bytes, connections, port } = yield* receiver()
      // A network that routes everything to the listener.
      const post = postOver({
        resolve: () => Effect.succeed(["8.8.8.8"]),
        open: () => connect(port, "127.0.0.1"),
        roots: undefined
      })
      const problem = Result.flip(checkUrl(url, { allowInsecure: null }))
      expect(Result.getOrThrow(problem)).toMatch(/^must [^\n]+$/)
      const refused = yield* Effect.flip(post({ url, headers: {}, body: "{}", allowInsecure: null }))
      expect(refused.reason).toBe("url_refused")
      expect([connections(), bytes()]).toEqual([0, 0])
    })
  )

  // Without these the test above could not fail: permitted URLs do reach the same network.
  it.effect.each(["https://8.8.8.8/", "https://hooks.example.com:8443/"])(
    "is told from %s, which is connected to",
    (url) =>
      Effect.gen(function* () {
        const { connected, connections, port, released } = yield* receiver()
        const post = postOver({
          resolve: () => Effect.succeed(["8.8.8.8"]),
          open: () => connect(port, "127.0.0.1"),
          roots: undefined
        })
        const refused = yield* Effect.flip(post({ url, headers: {}, body: "{}", allowInsecure: null }))
        expect(refused.reason).toBe("address_refused")
        yield* Effect.promise(() => connected)
        yield* Effect.promise(released)
        expect(connections()).toBe(1)
      })
  )
})
