/** A body as text and as JSON, for inspection. */

import type { ActionList } from "../../src/api/Actions.ts"
import type { AssessmentEvidence } from "../../src/api/Actions.ts"

export const textOf = (body: Uint8Array): string => Buffer.from(body).toString()

export const jsonOf = (body: Uint8Array): AssessmentEvidence => JSON.parse(textOf(body))

export const listOf = (body: Uint8Array): ActionList => JSON.parse(textOf(body))
