import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { resolve } from "node:path"
import { AppConfig, type Settings, variables } from "../src/config.ts"

const settingsOf = (env: Record<string, string>) => Effect.provide(AppConfig, AppConfig.layerFrom(env))

type Cases = Readonly<
  Record<
    keyof Settings,
    { readonly good: ReadonlyArray<[string, unknown]>; readonly bad: ReadonlyArray<string> }
  >
>

const ports = {
  good: [
    ["0", 0],
    ["3000", 3000],
    ["65535", 65_535]
  ],
  bad: ["abc", "-1", "65536", "3000.5", "3e3", "0x50", " 80", "٣"]
} satisfies Cases["port"]
const hosts = {
  good: [
    ["127.0.0.1", "127.0.0.1"],
    ["::1", "::1"],
    ["localhost", "localhost"],
    ["a-b.example", "a-b.example"]
  ],
  bad: ["http://x", "a b", "-x", "x:80", "a..b", "ü.example"]
} satisfies Cases["host"]
const requests = {
  good: [
    ["1", 1],
    ["1000000000", 1_000_000_000]
  ],
  bad: ["0", "-5", "1.5", "many", "1000000001", "1e3"]
} satisfies Cases["port"]

const databases = {
  good: [
    ["postgres://u:p@h:5432/d", Redacted.make("postgres://u:p@h:5432/d")],
    ["postgresql://h/d", Redacted.make("postgresql://h/d")],
    ["postgres://u:p@a:1,[::1]:2/d", Redacted.make("postgres://u:p@a:1,[::1]:2/d")],
    ["postgres:///d?host=/a,/b&port=1,2", Redacted.make("postgres:///d?host=/a,/b&port=1,2")],
    [
      "postgres://a,b/d?target_session_attrs=primary",
      Redacted.make("postgres://a,b/d?target_session_attrs=primary")
    ]
  ],
  bad: [
    "localhost:5432",
    "mysql://h/d",
    "postgres//h",
    "postgres://h:port/d",
    "postgres://a,,b/d",
    "postgres://a:1,b:port/d",
    "postgres://a,b/d?host=/c",
    "postgres:///d?host=a,b,c&port=1,2",
    "postgres://a,b/d?target_session_attrs=standby",
    "postgres://a,b,c,d,e,f,g,h,i/d"
  ]
} satisfies Cases["databaseUrl"]

/** Of RFC 8032, section 7.1, test 1. */
const evidenceKey = Redacted.make(
  "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n-----END PRIVATE KEY-----\n"
)

const webhookSecret = Redacted.make("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAECAwQFBgc=")

const cases: Cases = {
  port: ports,
  host: hosts,
  publicUrl: {
    good: [
      ["https://risk.example/", "https://risk.example"],
      ["http://risk.example:8080/base/", "http://risk.example:8080/base"]
    ],
    bad: [
      "risk.example",
      "ftp://risk.example",
      "https://u:p@risk.example",
      "https://risk.example/?a=1",
      "https://risk.example/#a",
      "https://risk.example/?",
      "https://risk.example/#",
      "https://"
    ]
  },
  databaseUrl: databases,
  databaseUrlControl: databases,
  databaseUrlLive: databases,
  databaseUrlTest: databases,
  distributed: { good: [["citus", "citus"]], bad: ["", "yes", "Citus"] },
  dataDirectory: {
    good: [
      ["/var/lib/x", "/var/lib/x"],
      ["somewhere", resolve("somewhere")],
      ["a folder's name, ünicode", resolve("a folder's name, ünicode")]
    ],
    bad: ['a"b', "$HOME", "a`id`b", "a\nb"]
  },
  keyPeppers: {
    good: [
      ["sixteen bytes. 1", [Redacted.make("sixteen bytes. 1")]],
      [
        "the newer pepper, the older pepper",
        [Redacted.make("the newer pepper"), Redacted.make("the older pepper")]
      ]
    ],
    bad: [
      ",",
      "fifteen bytes..",
      "short, the newer pepper",
      "the newer pepper, short",
      "the newer pepper,",
      ",the newer pepper",
      "the newer pepper,,the older pepper"
    ]
  },
  evidenceKey: {
    good: [
      ["nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=", evidenceKey],
      [Redacted.value(evidenceKey), evidenceKey]
    ],
    bad: ["hunter2", "AAAA", "-----BEGIN PRIVATE KEY-----"]
  },
  rulesVersion: {
    good: [
      ["1.0.0", "1.0.0"],
      ["1.2.3-rc.1", "1.2.3-rc.1"]
    ],
    bad: ["1", "v1.0.0", "1.0", "latest", "../1.0.0", "01.0.0"]
  },
  ruleEngine: {
    good: [
      ["compiled", "compiled"],
      ["reference", "reference"]
    ],
    bad: ["Compiled", "fast"]
  },
  rateLimitLive: requests,
  rateLimitTest: requests,
  rateLimitAnonymous: requests,
  rateLimitStore: {
    good: [
      ["memory", "memory"],
      ["postgres", "postgres"]
    ],
    bad: ["redis", "Memory"]
  },
  trustedProxies: {
    good: [
      ["10.0.0.1", ["10.0.0.1"]],
      ["10.0.0.1, ::1,192.168.0.0/16,fd00::/8", ["10.0.0.1", "::1", "192.168.0.0/16", "fd00::/8"]]
    ],
    bad: ["proxy.example", "10.0.0.1,", "10.0.0.0/33", "::1/129", "10.0.0.1/8/9", "10.0.0.1/", "*"]
  },
  adminPort: ports,
  adminHost: hosts,
  mcpPort: ports,
  mcpHost: hosts,
  mcpOrigins: {
    good: [
      ["https://agents.example", ["https://agents.example"]],
      ["https://a.example, http://localhost:5173", ["https://a.example", "http://localhost:5173"]]
    ],
    bad: ["agents.example", "https://a.example/path", "https://a.example,", "*"]
  },
  consolePort: { good: [...ports.good, ["off", null]], bad: [...ports.bad, "none"] },
  consoleHost: {
    good: [
      ["127.0.0.1", "127.0.0.1"],
      ["127.1.2.3", "127.1.2.3"],
      ["::1", "::1"],
      ["localhost", "localhost"]
    ],
    bad: hosts.bad
  },
  consoleUrl: {
    good: [
      ["https://console.example/", "https://console.example"],
      ["http://127.0.0.1:8080", "http://127.0.0.1:8080"]
    ],
    bad: [
      "console.example",
      "https://console.example/base",
      "https://u:p@console.example",
      "https://c.example/?a=1"
    ]
  },
  reviewDueHours: {
    good: [
      ["1", 1],
      ["720", 720]
    ],
    bad: ["0", "721", "24h", "1.5", "-1"]
  },
  webhookAllowInsecure: { good: [["loopback", "loopback"]], bad: ["true", "1", "all"] },
  serviceUrl: {
    good: [["https://risk.example/", "https://risk.example"]],
    bad: ["risk.example", "https://u:p@risk.example"]
  },
  serviceKey: {
    good: [["svc_test_x", Redacted.make("svc_test_x")]],
    bad: ["two words", "ü"]
  },
  webhookSecret: {
    good: [
      ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAECAwQFBgc=", webhookSecret],
      ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", Redacted.make("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")]
    ],
    bad: [
      "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAECAwQFBgc=",
      "whsec_",
      "whsec_c2hvcnQ=",
      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAECAwQFBgc",
      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAECAwQFBgc= "
    ]
  },
  logFormat: {
    good: [
      ["pretty", "pretty"],
      ["json", "json"]
    ],
    bad: ["text", "JSON"]
  },
  logLevel: {
    good: [
      ["debug", "Debug"],
      ["none", "None"]
    ],
    bad: ["verbose", "INFO", "5"]
  },
  otlpEndpoint: {
    good: [["http://collector:4318/", "http://collector:4318"]],
    bad: ["collector:4318", "grpc://collector:4317", "http://u:p@collector:4318"]
  },
  otlpHeaders: {
    good: [["authorization=Bearer%20t, x-a=b=c", Redacted.make({ authorization: "Bearer t", "x-a": "b=c" })]],
    bad: ["token", "=x", "a=%", "a=b,"]
  },
  otlpProtocol: {
    good: [
      ["http/protobuf", "http/protobuf"],
      ["http/json", "http/json"]
    ],
    bad: ["grpc", "json"]
  },
  otelServiceName: { good: [["risk", "risk"]], bad: [] },
  otelResourceAttributes: {
    good: [
      ["deployment.environment.name=prod,team=a%2Cb", { "deployment.environment.name": "prod", team: "a,b" }]
    ],
    bad: ["prod", "a b=c"]
  },
  otelDisabled: {
    good: [
      ["true", "true"],
      ["false", "false"]
    ],
    bad: ["1", "yes"]
  }
}

const keys = Object.keys(variables) as ReadonlyArray<keyof Settings>

describe.each(keys)("%s", (key) => {
  const { accepted, name } = variables[key]

  it.effect.each(cases[key].good)("%s is accepted", ([text, value]) =>
    Effect.gen(function* () {
      expect((yield* settingsOf({ [name]: text }))[key]).toEqual(value)
    })
  )

  it.effect.each(["", "  ", ...cases[key].bad])(
    "%j is refused in one line that names the variable and the accepted form",
    (text) =>
      Effect.gen(function* () {
        const { message } = yield* Effect.flip(settingsOf({ [name]: text }))
        expect(message.startsWith(`${name} is `)).toBe(true)
        expect(message.endsWith(`; give ${accepted}`)).toBe(true)
        expect(message).not.toContain("\n")
      })
  )
})

describe("settings", () => {
  it.effect("have the contract's defaults", () =>
    Effect.gen(function* () {
      expect(yield* settingsOf({})).toEqual({
        port: 3000,
        host: "127.0.0.1",
        publicUrl: null,
        databaseUrl: null,
        databaseUrlControl: null,
        databaseUrlLive: null,
        databaseUrlTest: null,
        distributed: null,
        dataDirectory: resolve(".data"),
        keyPeppers: null,
        evidenceKey: null,
        rulesVersion: null,
        ruleEngine: "compiled",
        rateLimitLive: 600,
        rateLimitTest: 120,
        rateLimitAnonymous: 60,
        rateLimitStore: "memory",
        trustedProxies: [],
        adminPort: null,
        adminHost: "127.0.0.1",
        consolePort: 3001,
        consoleHost: "127.0.0.1",
        mcpPort: null,
        mcpHost: "127.0.0.1",
        mcpOrigins: [],
        consoleUrl: null,
        webhookAllowInsecure: null,
        webhookSecret: null,
        reviewDueHours: 24,
        serviceUrl: "http://127.0.0.1:3000",
        serviceKey: null,
        logFormat: process.stderr.isTTY ? "pretty" : "json",
        logLevel: "Info",
        otlpEndpoint: null,
        otlpHeaders: Redacted.make({}),
        otlpProtocol: "http/protobuf",
        otelServiceName: "action-risk",
        otelResourceAttributes: {},
        otelDisabled: "false"
      })
    })
  )

  it.effect(
    "count requests in the database where replicas share one, and listen for admins where HOST says",
    () =>
      Effect.gen(function* () {
        const { adminHost, rateLimitStore } = yield* settingsOf({
          DATABASE_URL: "postgres://h/d",
          HOST: "0.0.0.0"
        })
        expect([adminHost, rateLimitStore]).toEqual(["0.0.0.0", "postgres"])
      })
  )

  it.effect("open no console on an external database unless it is asked for", () =>
    Effect.gen(function* () {
      const external = { DATABASE_URL: "postgres://h/d" }
      expect((yield* settingsOf(external)).consolePort).toBe(null)
      expect((yield* settingsOf({ ...external, CONSOLE_PORT: "3001" })).consolePort).toBe(3001)
    })
  )

  it.effect("let other machines reach the console only over https", () =>
    Effect.gen(function* () {
      const reachable = { CONSOLE_HOST: "0.0.0.0", CONSOLE_URL: "http://console.example" }
      expect((yield* Effect.flip(settingsOf(reachable))).message).toMatch(/^CONSOLE_URL is not https/)
      const safe = { ...reachable, CONSOLE_URL: "https://console.example" }
      expect((yield* settingsOf(safe)).consoleHost).toBe("0.0.0.0")
      expect((yield* settingsOf({ ...reachable, CONSOLE_PORT: "off" })).consolePort).toBe(null)
    })
  )

  it.effect.each(["DATABASE_URL", "KEY_PEPPER", "EVIDENCE_KEY"])("a wrong %s is never repeated", (name) =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(settingsOf({ [name]: "hunter2,," }))
      expect(message).not.toContain("hunter2")
    })
  )

  it.effect("a wrong value of many lines or great length is told in one short line", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(settingsOf({ PORT: `1\n2\u001b[31m${"3".repeat(10_000)}` }))
      expect(message).toMatch(/^PORT is "[ -~]{1,80}…"; give a port/)
    })
  )
})
