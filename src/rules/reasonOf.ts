/** What a thrown thing says of itself. */

export const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
