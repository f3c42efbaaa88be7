/** The rules of this checkout, opened once for a worker: to open a release takes longer than most tests. */

import { Layer, ManagedRuntime } from "effect"
import { installedRules } from "../../src/rules/installedRules.ts"

const opened = ManagedRuntime.make(installedRules)
await opened.context()

/** Instead of `installedRules`. */
export const openedRules = Layer.effectContext(opened.contextEffect)

/** For code that provides `installedRules` itself: in a fork of this map its layer is built already. */
export const rulesMemoMap = opened.memoMap
