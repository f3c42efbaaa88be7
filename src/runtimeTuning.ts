/** Settings of V8 and Node that make startup cheaper, each with its measurement. */

// main.ts imports this file before anything else, so it may import only modules that Node has loaded anyway.
import { enableCompileCache } from "node:module"
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"

// Tricks that belong to one place stay there, each with its reason next to it:
// - a command loads only its own modules: cli/commandTree.ts; Effect's Node services by subpath: cli/run.ts
// - PostgreSQL starts while the rules open: storage/openDatabase.ts and cli/service/Service.ts
// - one timer for all requests: server/listener.ts; random bytes drawn in a pool: assessment/requestId.ts
// - spans without a stack trace: server/edge.ts and storage/tracedFn.ts

/**
 * Caches compiled code in `folder`, so that the next process need not compile the same files again. Measured on `action-risk --version`:
 * 0.55 s with the cache, 0.83 s without it.
 */
export const enableCompileCacheIn = (folder: string): void => {
  enableCompileCache(folder)
}

/**
 * node:http with every export. An `import` of node:http would read all exports, one of which loads the whole of `fetch`. Measured: 27 ms
 * with an import, 3 ms with this call. A function, so that only commands that use HTTP load the module.
 */
export const nodeHttp = () => process.getBuiltinModule("node:http")

/**
 * V8 multiplies the size of the new space (for young objects) by `factor` whenever as many bytes survived as it holds. It starts at 1 MiB
 * and does not shrink when a process is idle. Loaded modules survive, so with V8's default factor of 2, startup grows it to 128 MiB, which
 * an idle service does not need.
 */
const setGrowthFactor = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

/**
 * With a new space of 1 MiB, there are 427 collections until the service is ready. With 4 MiB, startup takes an eighth less processor time,
 * and the idle process holds 8 MB more.
 */
const firstGrowth = 4
const grownBytes = firstGrowth * 2 ** 20
const filler = Array.from({ length: 1_000 }, () => 0)
const roundsMax = 2_000

const newSpaceBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? grownBytes

/**
 * Grows the new space to 4 MiB and then stops its growth. V8 has no call that sets the size, so this creates objects that survive until the
 * space has grown once.
 */
export const limitNewSpaceGrowth = (): void => {
  setGrowthFactor(firstGrowth)
  const survivors: Array<ReadonlyArray<number>> = []
  while (newSpaceBytes() < grownBytes && survivors.length < roundsMax) {
    survivors.push([...filler])
  }
  setGrowthFactor(1)
}

/** Lets the new space double again, which is V8's default. */
export const restoreNewSpaceGrowth = (): void => setGrowthFactor(2)
