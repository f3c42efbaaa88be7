/** The secrets of this process. `openSecrets.ts` reads them. */

import { Context } from "effect"
import type { Peppers } from "../environment.ts"

export class Secrets extends Context.Service<
  Secrets,
  {
    /** Newest first: new keys are hashed with the first one; known keys are found with any of them. */
    readonly keyPeppers: Peppers
  }
>()("action-risk/storage/Secrets") {}
