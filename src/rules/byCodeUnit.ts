/** The one order of names in everything that is sorted here: by code unit, the same on every machine and in every locale. */

export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
