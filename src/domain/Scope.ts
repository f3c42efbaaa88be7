/** What a key may be used for. */

export const scopes = ["assess", "read", "reviews", "webhooks"] as const
export type Scope = (typeof scopes)[number]
