/** How far tests of faults go: a few seconds in every run, the design's own figures with `FAULTS=long` (`npm run faults`). */

export const long = process.env["FAULTS"] === "long"

export const scaled = (quick: number, thorough: number): number => (long ? thorough : quick)
