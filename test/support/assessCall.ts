/** Calls and callers that show only what matters to a test. */

import { randomBytes, randomUUID } from "node:crypto"
import type { AssessCall } from "../../src/assessment/AssessRequest.ts"
import type { JsonObject } from "../../src/json/json.ts"
import type { Action } from "../../src/domain/Action.ts"
import type { Caller } from "../../src/domain/Caller.ts"

export const caller = (overrides: Partial<Caller> = {}): Caller => ({
  organizationId: randomUUID(),
  organization: "acme",
  mode: "test",
  keyId: randomUUID(),
  keyName: null,
  scopes: ["assess", "read"],
  environments: null,
  policySet: "starter",
  ...overrides
})

const base32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

export const requestId = (): string =>
  `req_${Array.from(randomBytes(26), (byte) => base32[byte % 32]).join("")}`

/** An action as request JSON. */
export const bodyOf = (action: Action): JsonObject =>
  Object.fromEntries(
    Object.entries(action).map(([field, value]) => [
      field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value
    ])
  )

export interface CallOverrides extends Partial<Omit<AssessCall, "action">> {
  readonly action?: Partial<Action>
}

export const assessCall = ({ action: stated, ...overrides }: CallOverrides = {}): AssessCall => {
  const action: Action = { actionType: "customer.update", environment: "staging", ...stated }
  return {
    caller: caller(),
    requestId: requestId(),
    action,
    body: bodyOf(action),
    idempotencyKey: null,
    strict: false,
    drill: null,
    receivedAtMs: performance.now(),
    validationMs: 0.25,
    ...overrides
  }
}
