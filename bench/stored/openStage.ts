/** The stage of the benches of the stored service: a database, the service on it, and its peers. */

import { join } from "node:path"
import { type Child, startChild } from "./child.ts"
import { openDatabase, type OwnDatabase } from "./database.ts"
import { assessRequest } from "./requests.ts"
import { type Service, startService } from "./service.ts"

export interface Stage extends AsyncDisposable {
  readonly database: OwnDatabase
  readonly service: Service
  readonly organizationId: string
  /** Starts `bench/peers/<name>.ts` on the same database. */
  readonly startPeer: (name: string) => Promise<Child & { readonly url: string }>
}

const peers = join(import.meta.dirname, "../peers")

/** The bytes of one answer, which peers send and store too. */
const firstAnswer = async ({ key, url }: Service): Promise<string> => {
  const { body = "", headers, method, path } = assessRequest("first", 0, key)
  const response = await fetch(`${url}${path}`, { method, headers, body })
  if (response.status !== 200) throw new Error(`the first assessment was answered ${response.status}`)
  return response.text()
}

/** Opens a stage for one measurement, and closes it afterwards. */
export const onStage =
  <A>(measure: (stage: Stage) => Promise<A>) =>
  async (): Promise<A> => {
    await using stage = await openStage()
    return await measure(stage)
  }

/** `env` is the service's. */
export const openStage = async (env: Readonly<Record<string, string>> = {}): Promise<Stage> => {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await openDatabase())
  const service = stack.use(await startService(database, env))
  const answer = await firstAnswer(service)
  const { rows } = await database.owner.query<{ id: string }>("SELECT id FROM control.organizations")
  const organizationId = rows[0]?.id ?? ""
  const open = stack.move()
  return {
    database,
    service,
    organizationId,
    startPeer: async (name) => {
      const child = await startChild([join(peers, `${name}.ts`)], {
        PEER_DATABASE_URL: database.url,
        PEER_ANSWER: answer,
        PEER_ORGANIZATION: organizationId
      })
      open.use(child)
      return { ...child, url: child.said["url"] ?? "" }
    },
    [Symbol.asyncDispose]: () => open.disposeAsync()
  }
}
