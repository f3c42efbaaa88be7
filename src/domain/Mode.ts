/** The two worlds that never meet: test and live. */

export const modes = ["test", "live"] as const
export type Mode = (typeof modes)[number]
