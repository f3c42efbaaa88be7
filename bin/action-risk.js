#!/usr/bin/env node
/** Starts `action-risk`: the bundle where it is as new as the sources, else the sources, with one line that says so. */

import { reasonAgainstBundle } from "./bundleState.js"

const nodeMajorMin = 24
if (Number.parseInt(process.versions.node, 10) < nodeMajorMin) {
  process.stderr.write(
    `action-risk needs Node ${nodeMajorMin} or newer, and this is Node ${process.versions.node}. ` +
      "Its package brings a Node of its own, which `npx action-risk` uses where the package is installed.\n"
  )
  process.exit(1)
}

const reason = reasonAgainstBundle()
if (reason !== null)
  process.stderr.write(
    `action-risk: ${reason}, so this start is slower; \`npm run bundle\` makes a new one\n`
  )
await import(reason === null ? "../dist/main.js" : "../src/main.ts")
