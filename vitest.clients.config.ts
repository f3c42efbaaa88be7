/** Agents' genuine programs and packages, for `npm run test:clients`, which installs them: test/clients/run.ts. */

import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/clients/**/*.clients.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    fileParallelism: false
  }
})
