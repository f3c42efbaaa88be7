#!/usr/bin/env node
/** Starts `action-risk-agent`: the bundle where there is one, since hosts wait for it before every call, else the source. */

import { existsSync } from "node:fs"

const bundled = new URL("../dist/agent.js", import.meta.url)
await import(existsSync(bundled) ? bundled : "../src/agents/main.ts")
