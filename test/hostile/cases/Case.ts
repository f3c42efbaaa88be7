/** One hostile input: its name, its bytes, and the refusal that must answer it; with the requests that cases are built from. */

import { keys } from "../../support/TestServer.ts"
import type { Expected } from "../../support/expectRefusal.ts"
import { request } from "../../support/rawHttp.ts"

export type Case = readonly [name: string, bytes: string | Uint8Array, expected: Expected]

export const assess = "/api/v1/actions/assess"
export const json = "Content-Type: application/json"
export const key = `Authorization: Bearer ${keys.test}`
export const valid = '{"action_type":"customer.export","environment":"staging"}'

export const malformed: Expected = { code: "MALFORMED_JSON" }
export const malformedBody: Expected = { code: "MALFORMED_JSON", opinion: "none" }
export const invalid: Expected = { code: "VALIDATION_FAILED", opinion: "none" }
export const notFound: Expected = { code: "NOT_FOUND" }
export const wrongMethod: Expected = { code: "METHOD_NOT_ALLOWED" }
export const noKey: Expected = { code: "MISSING_API_KEY", opinion: "none" }
export const badKey: Expected = { code: "INVALID_API_KEY", opinion: "none" }

export const posting = (body: string | Uint8Array, ...headers: ReadonlyArray<string>) =>
  request({ path: assess, headers: [key, json, ...headers], body })

export const withField = (field: string) => posting(`{"action_type":"a","environment":"staging",${field}}`)
