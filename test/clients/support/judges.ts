/** Hosts that judge calls themselves, or route calls differently: each approves the call, or is not known to ask about it. */

import type { Script } from "../../support/scriptedService.ts"
import { high, low } from "./opinions.ts"
import type { GenuineHost, OtherWords } from "./programs.ts"
import type { Wanted } from "./scriptedModel.ts"

export interface Judge extends OtherWords {
  readonly host: GenuineHost
  /** The model's call that would create the file. */
  readonly wants: (file: string) => Wanted
  /** Files of the home. */
  readonly files?: Readonly<Record<string, string>>
  /** Whether the file is created, without the hook and then with each answer; default: these trials in this order. */
  readonly made?: ReadonlyArray<boolean>
}

const touch = (file: string) => `touch ${file}`

const bash = (file: string): Wanted => ({
  tool: "Bash",
  input: { command: touch(file), description: "make" }
})

const geminiShell = (file: string): Wanted => ({
  tool: "run_shell_command",
  input: { command: touch(file), description: "make" }
})

const patch = "*** Begin Patch\n*** Add File: made.txt\n+hello\n*** End Patch"

/** What Codex's code mode runs: a program that calls its tools. */
const code = (program: string): Wanted => ({ tool: "exec", namespace: "functions", input: program })

const model = (name: string): OtherWords => ({ less: ["-m", "gpt-5"], more: ["-m", name] })

const safetyChecker = (type: string, name: string) => ({
  ".gemini/policies/checker.toml": [
    "[[safety_checker]]",
    'toolName = "run_shell_command"',
    "priority = 100",
    "[safety_checker.checker]",
    `type = "${type}"`,
    `name = "${name}"`,
    'required_context = ["environment"]'
  ].join("\n")
})

export const judges: Readonly<Record<string, Judge>> = {
  "Claude Code, permission mode `auto`": {
    host: "claude-code",
    less: ["--allowedTools", "Bash"],
    more: ["--permission-mode", "auto"],
    wants: bash
  },
  "Claude Code, permission mode `dontAsk`": {
    host: "claude-code",
    more: ["--permission-mode", "dontAsk"],
    wants: bash
  },
  "Codex, `approvals_reviewer = auto_review`, whose model approves": {
    host: "codex",
    less: ["--dangerously-bypass-approvals-and-sandbox"],
    more: ["--approve-for-me"],
    wants: (file) => ({
      tool: "exec_command",
      input: { cmd: touch(file), sandbox_permissions: "require_escalated", justification: "make it" }
    })
  },
  "Codex, `apply_patch`": {
    host: "codex",
    ...model("gpt-5.5"),
    wants: () => ({ tool: "apply_patch", input: patch })
  },
  "Codex, code mode: a command": {
    host: "codex",
    ...model("gpt-6-astra"),
    wants: (file) => code(`await tools.exec_command({ cmd: "${touch(file)}" })`)
  },
  "Codex, code mode: `apply_patch`": {
    host: "codex",
    ...model("gpt-6-astra"),
    wants: () => code(`await tools.apply_patch(${JSON.stringify(patch)})`)
  },
  "Codex, `write_stdin` into a shell that runs": {
    host: "codex",
    wants: (file) => ({
      tool: "exec_command",
      input: { cmd: "sh", tty: true, yield_time_ms: 500 },
      next: (heard) => ({
        tool: "write_stdin",
        input: {
          session_id: Number(/session ID (\d+)/.exec(heard)?.[1]),
          chars: `${touch(file)}\n`,
          yield_time_ms: 1_000
        }
      })
    }),
    made: [true, true, true, false]
  },
  "Gemini CLI, `safety_checker` of its own": {
    host: "gemini",
    files: safetyChecker("in-process", "allowed-path"),
    wants: geminiShell
  },
  "Gemini CLI, `safety_checker` of type `external`": {
    host: "gemini",
    files: safetyChecker("external", "guard"),
    wants: geminiShell,
    made: [false, false, false, false]
  }
}

/** The answers of a service. A shell is opened at low risk, and the file is made at high risk. */
export const judgeTrials: Readonly<Record<string, Script>> = {
  "low risk": low,
  "high risk": (response, heard, attempt) =>
    (heard.body.includes("made.txt") ? high : low)(response, heard, attempt),
  "the service answers 503": (response) => response.writeHead(503).end()
}
export const madeByDefault = [true, true, false, false]
