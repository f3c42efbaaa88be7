/** The tests of faults at the figures of the design, for `npm run faults`: the same files as in `npm test`, for some 40 minutes. */

import { defineConfig, mergeConfig } from "vitest/config"
import everyday from "./vitest.config.ts"

const config = mergeConfig(
  everyday,
  defineConfig({ test: { env: { FAULTS: "long" }, testTimeout: 3_600_000, fileParallelism: false } })
)

config.test.exclude = ["**/node_modules/**"]
config.test.include = [
  "test/faults/**/*.test.ts",
  "test/evidence/verify*.test.ts",
  "test/assessment/{isolation,storageFaults,Idempotency.twoProcesses}.test.ts",
  "test/webhooks/{isolation,storageFaults.deep}.test.ts",
  "test/storage/outage.test.ts",
  "test/storage/sql/{BatchedStatement,Sql}.test.ts",
  "test/storage/assessments/batchedWrites.test.ts"
]

export default config
