/** The main file of the bundle. */
export const bundle: string
export const reasonAgainstBundle: () => string | null
