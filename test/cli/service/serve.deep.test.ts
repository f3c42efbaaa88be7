/** `action-risk serve` after one of its processes was killed. */

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { actionRisk, serving, type Serving } from "../../support/actionRisk.ts"
import { copyOf, freshDataDirectory, postmasterOf, removeDataDirectory } from "../../support/dataDirectory.ts"
import { isReady, organizations, stop } from "../../support/serveChecks.ts"

/** A data directory that was served once and stopped; tests work on copies of it. */
const original = freshDataDirectory()
const used = [original]

const copy = () => {
  const made = copyOf(original)
  used.push(made)
  return made
}

beforeAll(async () => {
  const first = await serving({ env: { DATA_DIR: original } })
  first.signal("SIGTERM")
  const { code } = await first.finished
  expect(code).toBe(0)
})

afterAll(() => {
  for (const dataDirectory of used) removeDataDirectory(dataDirectory)
})

describe.concurrent("serve, when a process is killed", { timeout: 90_000 }, () => {
  it("starts again after kill -9, on what its PostgreSQL still holds", async () => {
    const dataDirectory = copy()
    const killed = await serving({ env: { DATA_DIR: dataDirectory } })
    const postmaster = postmasterOf(dataDirectory)
    killed.signal("SIGKILL")
    await killed.finished
    const server = await serving({ env: { DATA_DIR: dataDirectory } })
    expect(postmasterOf(dataDirectory)).toBe(postmaster)
    expect(await isReady(server)).toBe(200)
    expect((await stop(server)).code).toBe(0)
    expect(postmasterOf(dataDirectory)).toBe(null)
  })

  it("starts again after it and its postmaster were killed together", async () => {
    const dataDirectory = copy()
    const killed = await serving({ env: { DATA_DIR: dataDirectory } })
    killed.signal("SIGKILL")
    process.kill(postmasterOf(dataDirectory) ?? 0, "SIGKILL")
    await killed.finished
    const server = await serving({ env: { DATA_DIR: dataDirectory } })
    expect(await isReady(server)).toBe(200)
    expect((await stop(server)).code).toBe(0)
  })

  it("starts a postmaster that dies again, at the same place, and needs no restart itself", async ({
    expect
  }) => {
    const dataDirectory = copy()
    const server = await serving({ env: { DATA_DIR: dataDirectory } })
    const postmaster = postmasterOf(dataDirectory)
    process.kill(postmaster ?? 0, "SIGKILL")
    await expect.poll(() => server.output().stderr, { timeout: 15_000 }).toContain("PostgreSQL is back")
    expect(await organizations(dataDirectory)).toEqual(["demo"])
    const { key } = JSON.parse((await createKey(dataDirectory)).stdout)
    expect((await listActions(server, key)).status).toBe(200)
    expect((await stop(server)).code).toBe(0)
  })
})

const createKey = (dataDirectory: string) =>
  actionRisk(["keys", "create", "--org", "demo", "--mode", "test", "--scopes", "assess,read", "--json"], {
    env: { DATA_DIR: dataDirectory }
  })

const listActions = ({ url }: Serving, key: string) =>
  fetch(`${url}/api/v1/actions`, { headers: { authorization: `Bearer ${key}` } })

/** The drill adds two seconds to a complete answer. */
