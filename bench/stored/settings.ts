/** How long and how large the benches of the stored service are: short by default, set by variables of the bench. */

const numbersOf = (variable: string, fallback: string): ReadonlyArray<number> =>
  (process.env[variable] ?? fallback).split(",").map((text) => {
    const number = Number(text)
    if (!(number > 0)) throw new Error(`${variable} is ${text}: give a number above 0`)
    return number
  })

const numberOf = (variable: string, fallback: string): number => numbersOf(variable, fallback)[0] ?? 0

/** The length of one measurement. */
export const seconds = numberOf("BENCH_SECONDS", "6")
export const warmUpSeconds = Math.min(2, seconds / 3)
/** How often each subject is measured, in turn with the others. */
export const rounds = numberOf("BENCH_ROUNDS", "2")
/** Stored assessments that growth is looked at with. */
export const sizes = numbersOf("BENCH_SIZES", "1000,100000,1000000")
/** Whether stored assessments are without the bytes that only evidence reads. */
export const lean = process.env["BENCH_LEAN"] === "1"
/** Assessments of one month that comes and goes. */
export const monthRows = numberOf("BENCH_MONTH", "20000")
/** The duration of the load under which memory is watched. */
export const memorySeconds = numberOf("BENCH_MEMORY_SECONDS", "60")
export const connections = 64
