/** The secrets of this process. `openSecrets.ts` reads them. */

import { Context } from "effect"
import type { Peppers } from "../environment.ts"

export class Secrets extends Context.Service<
  Secrets,
  {
    /** Newest first: new keys are hashed with the first, known keys are found by any. */
    readonly keyPeppers: Peppers
  }
>()("action-risk/storage/Secrets") {}
