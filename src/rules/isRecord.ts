/** Whether a piece of JSON is an object with keys. */

export const isRecord = (json: unknown): json is Record<string, unknown> =>
  typeof json === "object" && json !== null && !Array.isArray(json)
