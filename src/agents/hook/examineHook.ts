/** `hook doctor`: whether an installed hook would be heard, tried as the host runs it, and why not. */

import { spawnSync } from "node:child_process"
import { hostTimeoutSeconds } from "../../limits.ts"
import { readable } from "../askAbout.ts"
import { readOwnerSettings } from "../settings.ts"
import type { HostName } from "./hosts.ts"
import { places } from "./places.ts"
import type { HookSurroundings } from "./runHook.ts"

export interface HookFinding {
  readonly sound: boolean
  readonly says: string
  /** What was seen, where it is not sound. */
  readonly because?: string
}

const bash = { tool_name: "Bash", tool_input: { command: "git status" }, session_id: "doctor" }

/** A harmless call, as each host describes it. */
const sample: Readonly<Record<HostName, object>> = {
  "claude-code": bash,
  codex: bash,
  copilot: { toolName: "bash", toolArgs: { command: "git status" }, sessionId: "doctor" },
  gemini: { ...bash, tool_name: "run_shell_command" },
  opencode: { tool: "bash", args: { command: "git status" }, sessionID: "doctor" },
  cline: { tool_call: { id: "doctor", name: "run_commands", input: { commands: ["git status"] } } }
}

/** A port that `fetch` never connects to (discard, RFC 863). */
const nowhere = "http://127.0.0.1:9"

/** Runs the installed command as the host does, once as it stands and once where no service can answer. */
const drill = (host: HostName, command: string, env: HookSurroundings["env"]): ReadonlyArray<HookFinding> => {
  const run = (more: Readonly<Record<string, string>>) => {
    const { error, status, stderr, stdout } = spawnSync("sh", ["-c", command], {
      input: JSON.stringify(sample[host]),
      encoding: "utf8",
      timeout: hostTimeoutSeconds * 1_000,
      env: { ...env, ...more }
    })
    const heard = error === undefined ? `${stdout} ${stderr}`.trim() : error.message
    return {
      heard: `it ended with ${status} and said: ${readable(heard)}`,
      objects: status === 2 || /"(?:ask|deny)"|"cancel":true/.test(stdout),
      hasOpinion: error === undefined && !/no risk opinion/.test(heard)
    }
  }
  const away = run({ ACTION_RISK_URL: nowhere })
  const asked = run({})
  return [
    { sound: away.objects, says: "where no service answers, the hook objects", because: away.heard },
    {
      sound: asked.hasOpinion,
      says: "the service gives an opinion on `git status`",
      because: asked.heard
    }
  ]
}

export const examineHook = async (
  host: HostName,
  { env, folder }: HookSurroundings
): Promise<ReadonlyArray<HookFinding>> => {
  const { installed, path } = places[host]
  const owner = await readOwnerSettings(folder, undefined, env)
  const file = path(env)
  const command = installed(file)
  return [
    ...owner.problems.map((problem) => ({ sound: false, says: problem })),
    {
      sound: owner.key !== "",
      says: "there is a key to ask with",
      because: `set ACTION_RISK_KEY, or write the key into ${folder}/key`
    },
    {
      sound: owner.gate.mode === "gate",
      says: "the gate file asks, and does not only observe",
      because: `"mode" is "observe" in ${folder}`
    },
    {
      sound: command !== undefined,
      says: `the hook stands in ${file}`,
      because: `\`action-risk-agent hook install ${host}\` writes it`
    },
    ...(command === undefined ? [] : drill(host, command, env))
  ]
}
