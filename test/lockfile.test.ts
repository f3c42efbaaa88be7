import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { completed, lockfiles, missingOptionals } from "./lockfile/completed.ts"

const read = (file: string) => JSON.parse(readFileSync(join(import.meta.dirname, "..", file), "utf8"))
const { dependencies, devDependencies, optionalDependencies } = read("package.json")

describe.each(lockfiles)("%s", (file) => {
  const lockfile = read(file)

  it("locks the optional packages of every platform, so that `npm ci` takes it (else: npm run lockfile)", () => {
    expect([...missingOptionals(lockfile).keys()]).toEqual([])
  })

  it("names no place that packages come from", () => {
    expect(JSON.stringify(lockfile)).not.toMatch(/"resolved":"https?:/)
  })
})

describe("a lockfile without another platform's package", () => {
  const incomplete = {
    packages: {
      "node_modules/tool": {
        version: "1.2.3",
        dev: true,
        optionalDependencies: { "@tool/tool-darwin-arm64": "1.2.3", "@tool/tool-win32-x64-msvc": "1.2.3" }
      }
    }
  }

  it("is completed with the version, the platform and the kind of dependency", () => {
    expect(completed(incomplete).packages).toMatchObject({
      "node_modules/@tool/tool-darwin-arm64": {
        version: "1.2.3",
        os: ["darwin"],
        cpu: ["arm64"],
        dev: true,
        optional: true
      },
      "node_modules/@tool/tool-win32-x64-msvc": { os: ["win32"], cpu: ["x64"] }
    })
  })
})

describe("package.json", () => {
  it("pins every dependency to one version", () => {
    for (const version of Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
      expect(version).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/)
    }
  })

  it("needs at most 25 packages to run", () => {
    expect(Object.keys({ ...dependencies, ...optionalDependencies }).length).toBeLessThanOrEqual(25)
  })
})
