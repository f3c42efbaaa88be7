/** What leaves the process for one request, before the headers that every response carries. */

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** null: a response without a body. */
  readonly body: Uint8Array | string | null
}

const jsonType = { "content-type": "application/json" }

/** A JSON body that is already encoded: exactly these bytes are sent. */
export const jsonBytes = (body: Uint8Array, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status: 200,
  headers: { ...jsonType, ...headers },
  body
})

export const json = (
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {}
): Answer => ({
  status,
  headers: { ...jsonType, ...headers },
  body: JSON.stringify(value)
})
