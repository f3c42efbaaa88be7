/** Helps tests of `serve` with a running service: they stop it, and check whether it answers and keeps its data. */

import { actionRisk, type Serving } from "./actionRisk.ts"

export const stop = async (server: Serving) => {
  server.signal("SIGINT")
  return server.finished
}

export const isReady = async ({ url }: Serving) => (await fetch(`${url}/api/public/v1/status`)).status

export const organizations = async (dataDirectory: string): Promise<unknown> => {
  const { stdout } = await actionRisk(["orgs", "list", "--json"], { env: { DATA_DIR: dataDirectory } })
  return JSON.parse(stdout).organizations.map(({ organization }: { organization: string }) => organization)
}
