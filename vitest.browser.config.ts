/** The console in a real browser, for `npm run test:browser`: it needs Chromium, which CHROMIUM names where it is elsewhere. */

import { defineConfig, mergeConfig } from "vitest/config"
import everyday from "./vitest.config.ts"

const config = mergeConfig(
  everyday,
  defineConfig({ test: { testTimeout: 240_000, hookTimeout: 240_000, fileParallelism: false } })
)
config.test.include = ["test/browser/**/*.browser.ts"]

export default config
