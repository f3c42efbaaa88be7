/** A data directory of a test file as `action-risk migrate` leaves it: a copy, because initdb takes ten times as long. */

import { inject } from "vitest"
import { copyOf } from "./dataDirectory.ts"

/** The caller removes it. */
export const migratedDirectory = (): string => copyOf(inject("migratedDirectory"))
