/** The digest of the opinions on questions drawn from a seed; run as a script it prints that of its arguments. */

import { createHash } from "node:crypto"
import { fileURLToPath } from "node:url"
import fc from "fast-check"
import { question } from "../support/arbitrary/question.ts"
import { opineAsked } from "../support/opine.ts"

export const digestOfOpinions = (seed: number, numRuns: number): string =>
  createHash("sha256")
    .update(JSON.stringify(fc.sample(question(), { seed, numRuns }).map((asked) => opineAsked(asked))))
    .digest("hex")

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(digestOfOpinions(Number(process.argv[2]), Number(process.argv[3])))
}
