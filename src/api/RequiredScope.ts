/** The scope that a key needs for an endpoint; an endpoint without this annotation needs no key. */

import { Context } from "effect"
import type { Scope } from "../domain/Scope.ts"

export class RequiredScope extends Context.Service<RequiredScope, Scope>()("action-risk/api/RequiredScope") {}
