/** Every test, in depth: `npm run test:deep`. Fresh seeds and large counts, and the `*.deep.test.ts` that `npm test` leaves out. */

import { defineConfig, mergeConfig } from "vitest/config"
import everyday from "./vitest.config.ts"

const given = process.env["PROPERTY_SEED"]
const seed = given === undefined || given === "" ? String(Date.now() % 0x7fff_ffff) : given
console.log(`random cases come from seed ${seed}; PROPERTY_SEED=${seed} npm run test:deep replays them`)

const config = mergeConfig(
  everyday,
  defineConfig({ test: { env: { TEST_DEPTH: "deep", PROPERTY_SEED: seed }, testTimeout: 300_000 } })
)
config.test.exclude = ["**/node_modules/**"]

export default config
