import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Too slow for every day: `npm run test:deep` runs them too.
    exclude: ["**/node_modules/**", "**/*.deep.test.ts"],
    setupFiles: ["test/support/depth.ts"],
    globalSetup: ["test/support/testCluster.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: "forks",
    // Nothing in src outlives its scope, so files can share a process; loading the modules anew for each took a fifth of it all.
    isolate: false,
    // Much of the time goes into waiting for processes, so that leaving one core free would leave most of it idle.
    maxWorkers: "100%"
  }
})
