/** The secrets that the operator gave, or that were generated once in DATA_DIR. */

import { Context, Effect, Layer } from "effect"
import { join } from "node:path"
import { AppConfig, variables } from "../Config.ts"
import { type Peppers, peppers } from "../config/readers.ts"
import { WrongVariable } from "../config/variable.ts"
import { Database } from "./Database.ts"
import { secretAt } from "./secretFile.ts"

export class Secrets extends Context.Service<
  Secrets,
  {
    /** Newest first: new keys are hashed with the first, known keys are found by any. */
    readonly keyPeppers: Peppers
  }
>()("action-risk/storage/Secrets") {
  static readonly layer = Layer.effect(
    Secrets,
    Effect.gen(function* () {
      const { dataDirectory, keyPeppers } = yield* AppConfig
      const { kind } = yield* Database
      if (keyPeppers !== null) return Secrets.of({ keyPeppers })
      if (kind === "embedded") return Secrets.of({ keyPeppers: yield* generatedPepper(dataDirectory) })
      const { accepted, name } = variables.keyPeppers
      return yield* new WrongVariable({ name, problem: "is unset, and DATABASE_URL needs it", accepted })
    })
  )
}

const generatedPepper = (dataDirectory: string) =>
  secretAt(
    join(dataDirectory, "key-pepper"),
    "base64url",
    peppers,
    "is empty: restore it, or no key will be known again"
  )
