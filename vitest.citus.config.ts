/** The tests on Citus, for `npm run test:citus`, which needs CITUS_URL: a superuser's URL of a coordinator with workers. */

import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/citus/**/*.test.ts"],
    globalSetup: ["test/citus/distributedDatabase.ts"],
    testTimeout: 900_000,
    // Making a distributed schema takes some two seconds for each of its groups.
    hookTimeout: 300_000,
    fileParallelism: false
  }
})
