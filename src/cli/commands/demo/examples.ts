/** The example requests that come with the package, by name. */

import { Effect, FileSystem, type PlatformError } from "effect"
import { join } from "node:path"
import { packageRoot } from "../../../rules/packageRoot.ts"

export interface Example {
  /** The file's name without its ending. */
  readonly name: string
  readonly body: Uint8Array
}

const folder = join(packageRoot, "examples/requests")

/** Sorted by name. */
export const examples = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const names = yield* files.readDirectory(folder)
  return yield* Effect.forEach(
    names.filter((name) => name.endsWith(".json")).toSorted(),
    (name): Effect.Effect<Example, PlatformError.PlatformError> =>
      Effect.map(files.readFile(join(folder, name)), (body) => ({
        name: name.slice(0, -".json".length),
        body
      }))
  )
})
