import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { listReleases } from "../../../src/rules/release/loadRelease.ts"
import { actionRisk, serving } from "../../support/actionRisk.ts"
import { lightCheckout } from "../../support/checkout.ts"

const folder = mkdtempSync(join(tmpdir(), "action-risk-corrupt-"))
afterAll(() => rmSync(folder, { recursive: true }))

const newest = listReleases(packageRoot).at(-1) ?? ""
const file = `rules/releases/${newest}.json`

const rewrite =
  (change: (text: string) => string) =>
  (path: string): void => {
    const text = readFileSync(path, "utf8")
    if (change(text) === text) throw new Error("nothing was spoiled")
    writeFileSync(path, change(text))
  }

const instead =
  (make: (path: string) => void) =>
  (path: string): void => {
    rmSync(path)
    make(path)
  }

interface Corruption {
  readonly release: string
  readonly spoil: (path: string) => void
  readonly because: RegExp
  /** The release that is named. */
  readonly named?: string
}

/** `RuleReleases.test.ts` has the other cases, without a process. */
const corruptions: ReadonlyArray<Corruption> = [
  {
    release: "truncated",
    spoil: rewrite((text) => text.slice(0, -100)),
    because: /its digest does not match its content/
  },
  {
    release: "with one byte changed",
    spoil: rewrite((text) => text.replace('"floor":9', '"floor":8')),
    because: /its digest does not match its content/
  },
  {
    release: "under another version",
    spoil: (path) => copyFileSync(path, path.replace(newest, "99.0.0")),
    because: /names itself/,
    named: "99.0.0"
  },
  {
    release: "that is a folder",
    spoil: instead((path) => mkdirSync(path)),
    because: /is a folder, not a file/
  },
  { release: "that no user may read", spoil: (path) => chmodSync(path, 0), because: /may not be read/ }
]

/** Root can read every file, whatever its mode. */
const possible = process.getuid?.() === 0 ? corruptions.slice(0, -1) : corruptions

/** The tests share one checkout and repair it after each corruption, because a new checkout would compile everything again. */
const checkout = lightCheckout(join(folder, "checkout"))
const releases = join(checkout, "rules/releases")

beforeEach(() => {
  rmSync(releases, { recursive: true })
  cpSync(join(packageRoot, "rules/releases"), releases, { recursive: true })
})

describe("serve", { timeout: 90_000 }, () => {
  it.each(possible)(
    "refuses to start on a newest release $release, in one line that names it",
    async (one) => {
      one.spoil(join(checkout, file))
      const startedAt = performance.now()
      const { code, stderr, stdout } = await actionRisk(["serve"], {
        checkout,
        env: { PORT: "0", DATA_DIR: join(checkout, "data") }
      })
      expect([code, stdout]).toEqual([1, ""])
      expect(stderr).toMatch(/^action-risk: [^\n]+\n$/)
      expect(stderr).toContain(`action-risk: ${file.replace(newest, one.named ?? newest)}: `)
      expect(stderr).toMatch(one.because)
      expect(performance.now() - startedAt).toBeLessThan(10_000)
    }
  )

  const [truncated] = corruptions
  const serveCorrupt = async (dataDirectory: string) => {
    truncated?.spoil(join(checkout, file))
    const env = { PORT: "0", DATA_DIR: dataDirectory }
    const { code, stderr } = await actionRisk(["serve"], { checkout, env })
    return [code, stderr]
  }
  const refused = [1, expect.stringContaining(`action-risk: ${file}: `)]

  it("names the release also where the database cannot be opened", async () => {
    const noFolder = join(folder, "no-folder")
    writeFileSync(noFolder, "")
    expect(await serveCorrupt(noFolder)).toEqual(refused)
  })

  it("stops the PostgreSQL that it has started meanwhile", async () => {
    const dataDirectory = join(folder, "served")
    const before = await serving({ checkout, env: { PORT: "0", DATA_DIR: dataDirectory } })
    before.signal("SIGTERM")
    await before.finished
    expect(await serveCorrupt(dataDirectory)).toEqual(refused)
    expect(existsSync(join(dataDirectory, "postgres/postmaster.pid"))).toBe(false)
  })
})
