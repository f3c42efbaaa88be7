/** Reads Containerfile and compose.yaml, without running them, to check that they match this checkout. */

import { Yaml } from "effect/encoding"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { variables } from "../src/config.ts"

const root = join(import.meta.dirname, "..")
const read = (file: string) => readFileSync(join(root, file), "utf8")
const known = new Set(Object.values(variables).map(({ name }) => name))

describe("Containerfile", () => {
  const file = read("Containerfile").replaceAll("\\\n", " ")
  const instructions = [...file.matchAll(/^([A-Z]+) +(.+)$/gm)].map(([, name = "", rest = ""]) => ({
    name,
    rest
  }))
  const of = (name: string) => instructions.filter((one) => one.name === name).map(({ rest }) => rest)

  it("builds on the Node that package.json names, by its exact tag", () => {
    const { dependencies } = JSON.parse(read("package.json"))
    const images = of("FROM").map((rest) => /node:([\d.]+)-[a-z]+-slim\b/.exec(rest)?.[1])
    expect(images).toEqual([dependencies.node, dependencies.node])
  })

  it("copies files that are there, and that .containerignore lets through", () => {
    const copied = of("COPY")
      .filter((rest) => !rest.startsWith("--from"))
      .flatMap((rest) => rest.split(/ +/).slice(0, -1))
    const passing = read(".containerignore").split("\n")
    expect(copied.length).toBeGreaterThan(4)
    for (const path of copied)
      expect([path, existsSync(join(root, path)), passing.includes(`!${path}`)]).toEqual([path, true, true])
  })

  it("copies every folder that the service reads", () => {
    const folders = ["bin", "dist", "rules", "policies", "console", "package.json"]
    expect(of("COPY").flatMap((rest) => rest.split(/ +/))).toEqual(expect.arrayContaining(folders))
  })

  it("sets only variables that the service has, and no secret", () => {
    const set = of("ENV").flatMap((rest) => [...rest.matchAll(/([A-Z_]+)=/g)].map(([, name = ""]) => name))
    expect(set.filter((name) => name !== "NODE_ENV" && !known.has(name))).toEqual([])
    expect(set.filter((name) => /PEPPER|KEY|DATABASE|HEADERS/.test(name))).toEqual([])
    expect(of("ARG")).toEqual([])
  })

  it("runs as no particular user, says how it is, and starts what package.json calls action-risk", () => {
    expect(of("USER")).toEqual(["65532:65532"])
    expect(of("HEALTHCHECK")[0]).toContain("/healthz")
    const { bin } = JSON.parse(read("package.json"))
    expect(JSON.parse(of("ENTRYPOINT")[0] ?? "")).toEqual(["node", bin["action-risk"]])
  })
})

interface Service {
  readonly env_file: string
  readonly environment: Readonly<Record<string, string>>
  readonly healthcheck?: unknown
  readonly depends_on?: unknown
  readonly read_only?: boolean
}

describe("compose.yaml", () => {
  const { services } = Yaml.parse(read("compose.yaml")) as {
    readonly services: Readonly<Record<"service" | "database", Service>>
  }

  it("starts the service once the database is healthy, on a root that no process can write", () => {
    expect(services.service).toMatchObject({
      build: { dockerfile: "Containerfile" },
      depends_on: { database: { condition: "service_healthy" } },
      read_only: true
    })
    expect(services.database.healthcheck).toBeDefined()
  })

  it("names only variables that the service has, and keeps secrets in files of their own", () => {
    expect(Object.keys(services.service.environment).filter((name) => !known.has(name))).toEqual([])
    expect([services.service.env_file, services.database.env_file]).toEqual(["service.env", "database.env"])
    const named = [...read("compose.yaml").matchAll(/^#.*?\b([A-Z]+_[A-Z]+)=/gm)].map(([, name = ""]) => name)
    for (const name of named) expect(known.has(name) || name === "POSTGRES_PASSWORD").toBe(true)
    expect(read(".gitignore")).toContain("*.env")
  })
})
