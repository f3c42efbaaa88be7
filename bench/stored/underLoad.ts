/** Puts a load on servers from a process of its own, so that making it and answering it share no thread. */

import { fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import type { Load, Loaded } from "./Load.ts"

/** Throws when nothing at all was answered with 200. */
export const underLoad = async (load: Load): Promise<Loaded> => {
  const child = fork(join(import.meta.dirname, "makeLoad.ts"))
  try {
    child.send(load)
    const [loaded] = (await once(child, "message")) as [Loaded]
    if (loaded.answered === 0) throw new Error(`${load.urls.join(" and ")} answered nothing with 200`)
    return loaded
  } finally {
    child.kill()
  }
}
