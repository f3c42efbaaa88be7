import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Too slow for every day: `npm run test:deep` runs them too.
    exclude: ["**/node_modules/**", "**/*.deep.test.ts"],
    setupFiles: ["test/support/depth.ts"],
    globalSetup: ["test/support/testCluster.ts"],
    // No targets: a machine that is six times slower than usual passes too. What must be fast has a bound of its own.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Commands run in this process, and a terminal or CI that wants colors is no part of any test.
    env: { FORCE_COLOR: "0" },
    pool: "forks",
    // Nothing in src outlives its scope, so files can share a process; loading the modules anew for each took a fifth of it all.
    isolate: false,
    // Much of the time goes into waiting for processes, so that leaving one core free would leave most of it idle.
    maxWorkers: "100%"
  }
})
