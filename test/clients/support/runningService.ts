/** The service of the installed package, with a PostgreSQL of its own. */

import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"

/** Where `run.ts` has installed the tarball. */
export const installed = join(process.env["PACKED_PROJECT"] ?? "", "node_modules")

export interface RunningService {
  readonly url: string
  readonly key: string
  /** The commands that it assessed, each with its level. */
  readonly answered: () => Promise<ReadonlyArray<readonly [command: string, level: string]>>
  readonly stop: () => Promise<void>
}

/** An assessment in a list, as far as tests look at it. */
export interface Listed {
  readonly target_resource: string | null
  readonly action_risk: { readonly level: string }
}

/** With a PostgreSQL of its own and the key of its first start, as `npm start` has them. */
export const startService = async (): Promise<RunningService> => {
  const data = mkdtempSync(join(tmpdir(), "action-risk-newcomer-"))
  const program = join(installed, "action-risk/bin/action-risk.js")
  const child = spawn(process.execPath, [program, "serve", "--json"], {
    env: { ...process.env, DATA_DIR: join(data, "data"), PORT: "0", ADMIN_PORT: "0", CONSOLE_PORT: "off" },
    stdio: ["ignore", "pipe", "ignore"]
  })
  const [line = "{}"] = await new Promise<ReadonlyArray<string>>((resolve) =>
    createInterface({ input: child.stdout }).once("line", (text) => resolve([text]))
  )
  const { key, url } = JSON.parse(line) as Pick<RunningService, "key" | "url">
  return {
    key,
    url,
    answered: async () => {
      const response = await fetch(`${url}/api/v1/actions?limit=100`, {
        headers: { authorization: `Bearer ${key}` }
      })
      const { data: listed } = (await response.json()) as { readonly data: ReadonlyArray<Listed> }
      return listed.map(({ action_risk, target_resource }) => [target_resource ?? "", action_risk.level])
    },
    stop: async () => {
      if (child.exitCode === null) {
        const ended = new Promise((resolve) => child.once("exit", resolve))
        child.kill("SIGTERM")
        await ended
      }
      rmSync(data, { recursive: true, force: true })
    }
  }
}
