/** The possible conditions of a hook: the service's answer, and the fate of the hook's program. */

import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Script } from "../../support/scriptedService.ts"
import { high, low, opinion } from "./opinions.ts"
import type { GenuineHost, Home } from "./programs.ts"

interface Trial {
  readonly service: Script
  /** What happens to the hook's program after it was installed. */
  readonly spoil?: (home: Home) => void
  /** Whether the command runs; for all hosts that are not named. */
  readonly runs: boolean
  readonly but?: Partial<Readonly<Record<GenuineHost, boolean>>>
}

const replaced =
  (change: (text: string) => string) =>
  ({ agent }: Home): void =>
    writeFileSync(agent, change(readFileSync(agent, "utf8")))

const noise = replaced((text) => `console.log("a library says hello")\n${text}`)

export const trials: Readonly<Record<string, Trial>> = {
  "low risk": { service: low, runs: true },
  "high risk": { service: high, runs: false },
  "critical risk": { service: opinion("critical", "HUMAN_REVIEW_RECOMMENDED"), runs: false },
  "the service answers 503": { service: (response) => response.writeHead(503).end(), runs: false },
  // Nothing stops it: the hook times out itself.
  "the service never answers": { service: () => {}, runs: false },
  "the answer is no JSON": {
    service: (response) => response.writeHead(200, { "svc-risk-opinion": "full" }).end("{"),
    runs: false
  },
  "the hook crashes": { service: low, spoil: replaced(() => 'throw new Error("broken")'), runs: false },
  "the hook's program is missing": { service: low, spoil: ({ agent }) => rmSync(agent), runs: false },
  "high risk, and a library prints a line": { service: high, spoil: noise, runs: false },
  // Its plugin accepts only the one word for silence.
  "low risk, and a library prints a line": {
    service: low,
    spoil: noise,
    runs: true,
    but: { opencode: false }
  }
}

interface LocalTrial {
  /** What the command does besides making its file. */
  readonly besides?: string
  readonly spoil?: (home: Home) => void
  readonly runs: boolean
}

/** The possible conditions if the hook answers by itself. */
export const localTrials: Readonly<Record<string, LocalTrial>> = {
  "no service: a harmless command": { runs: true },
  // It would delete nothing even if it ran.
  "no service: a critical command": { besides: "; false && rm -rf ~", runs: false },
  "no service: the rules are gone": {
    spoil: ({ agent }) => rmSync(join(dirname(agent), "rules")),
    runs: false
  }
}
