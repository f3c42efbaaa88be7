/** The program as its users start it: `serve`, without a limit that a load would meet, and operators' commands. */

import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { type Child, startChild } from "./child.ts"
import type { OwnDatabase } from "./database.ts"

export interface Target {
  readonly url: string
  /** Sent as bearer; peers do not look at it. */
  readonly key: string
}

export interface Service extends Target, Child {}

const program = join(import.meta.dirname, "../../bin/action-risk.js")

const environment = {
  PORT: "0",
  LOG_LEVEL: "warn",
  RATE_LIMIT_TEST: "1000000000",
  RATE_LIMIT_ANONYMOUS: "1000000000"
}

/** Node's own arguments for the service, to look into it: `--cpu-prof`. */
const nodeArguments = process.env["BENCH_NODE_ARGUMENTS"]?.split(" ") ?? []

const start = async (env: Readonly<Record<string, string>>): Promise<Child> =>
  startChild([...nodeArguments, program, "serve", "--json"], { ...environment, ...env })

/** Alone on the database, with the key of its first start. */
export const startService = async (
  { dataDirectory }: OwnDatabase,
  env: Readonly<Record<string, string>> = {}
): Promise<Service> => {
  const child = await start({ DATA_DIR: dataDirectory, ...env })
  const { key, url } = child.said
  if (key == null || url === undefined) throw new Error("the service must be the first on its database")
  return { ...child, key, url }
}

/** One of several on a database where a service was before, which made `key`. Replicas share their counts. */
export const startReplica = async (
  { dataDirectory, url }: OwnDatabase,
  key: string,
  env: Readonly<Record<string, string>> = {}
): Promise<Service> => {
  const child = await start({
    DATABASE_URL: url,
    KEY_PEPPER: readFileSync(join(dataDirectory, "key-pepper"), "utf8").trim(),
    ...env
  })
  return { ...child, key, url: child.said["url"] ?? "" }
}

/** A chain of two million entries, an hour's, is verified in some three minutes under load. */
const commandMs = 600_000

/** The output of an operator's command on the same database. Rejects if it does not end with 0. */
export const runCommand = async (
  { dataDirectory }: OwnDatabase,
  args: ReadonlyArray<string>
): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
    timeout: commandMs,
    env: { PATH: process.env["PATH"], DATA_DIR: dataDirectory }
  })
  return stdout
}
