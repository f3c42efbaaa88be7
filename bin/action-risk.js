#!/usr/bin/env node
/** Starts `action-risk`: the bundle where it is as new as the sources, else the sources, with one line that says so. */

import { reasonAgainstBundle } from "./bundleState.js"

const reason = reasonAgainstBundle()
if (reason !== null)
  process.stderr.write(
    `action-risk: ${reason}, so this start is slower; \`npm run bundle\` makes a new one\n`
  )
await import(reason === null ? "../dist/main.js" : "../src/main.ts")
