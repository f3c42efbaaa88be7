/** The real programs: how each is started non-interactively, against a model on loopback, with an empty home. */

import { spawn } from "node:child_process"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { GenericHost, HostName } from "../../../src/agents/hook/hosts.ts"

const root = join(import.meta.dirname, "../../..")
const programs = join(root, "test/clients/node_modules")

/** How long a program may take to run one command and end. */
const runMs = 90_000

export interface Home {
  readonly folder: string
  readonly workspace: string
  /** A copy of `action-risk-agent`, which a test may break. */
  readonly agent: string
}

export const makeHome = (): Home => {
  const folder = mkdtempSync(join(tmpdir(), "action-risk-host-"))
  const home = { folder, workspace: join(folder, "workspace"), agent: join(folder, "program/agent.js") }
  for (const one of [home.workspace, dirname(home.agent)]) mkdirSync(one)
  for (const name of readdirSync(join(root, "dist")).filter((one) => /^agent.*\.js$/.test(one)))
    copyFileSync(join(root, "dist", name), join(dirname(home.agent), name))
  return home
}

/** The rest of the package, for a program that answers itself: it looks for its rules next to itself. */
export const bringRules = ({ agent }: Home): void => {
  for (const name of ["package.json", "rules", "policies", "dist"])
    symlinkSync(join(root, name), join(dirname(agent), name))
}

/** Including everything that it started, such as the process that Cline leaves behind. */
export const removeHome = ({ folder }: Home): void => {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const about = `/proc/${pid}/cmdline`
    if (existsSync(about) && readFileSync(about, "utf8").includes(folder))
      process.kill(Number(pid), "SIGKILL")
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

interface Start {
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  /** What the program needs to find in its home. */
  readonly files?: Readonly<Record<string, unknown>>
}

/** A program whose settings `hook install` does not write. It prints the command to put there. */
interface Other {
  readonly reply: "exit2" | "claude"
  readonly file: string
  readonly settings: (command: string) => object
}

interface GenuineProgram {
  /** The package that contains it. */
  readonly name: string
  /** The tool that runs a command, and its arguments. */
  readonly shell: (command: string) => { readonly tool: string; readonly input: Record<string, unknown> }
  readonly start: (modelUrl: string, home: Home) => Start
  readonly other?: Other
}

/** VS Code and Cursor are not in a registry. */
export type GenuineHost = Exclude<HostName, GenericHost | "vscode" | "cursor"> | "qwen-code" | "droid"

const described = (tool: string) => (command: string) => ({ tool, input: { command, description: "make" } })

const codexProvider = (url: string): ReadonlyArray<string> => [
  "-c",
  "model_provider=scripted",
  "-m",
  "gpt-5",
  "-c",
  `model_providers.scripted={name="scripted",base_url="${url}/v1",wire_api="responses",env_key="OPENAI_API_KEY"}`
]

const task = "make the file"

/** Claude Code's form of hooks. */
const beforeTools = (command: string) => ({
  PreToolUse: [{ matcher: "*", hooks: [{ type: "command", command, timeout: 15 }] }]
})

export const genuine: Readonly<Record<GenuineHost, GenuineProgram>> = {
  "claude-code": {
    name: "@anthropic-ai/claude-code",
    shell: described("Bash"),
    start: (url) => ({
      program: "claude",
      args: ["-p", task, "--allowedTools", "Bash"],
      env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "x", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" }
    })
  },
  codex: {
    name: "@openai/codex",
    shell: (cmd) => ({ tool: "exec_command", input: { cmd } }),
    start: (url) => ({
      program: "codex",
      args: [
        "exec",
        "--skip-git-repo-check",
        "--dangerously-bypass-approvals-and-sandbox",
        "--dangerously-bypass-hook-trust",
        ...codexProvider(url),
        task
      ],
      env: { OPENAI_API_KEY: "x" }
    })
  },
  copilot: {
    name: "@github/copilot",
    shell: described("bash"),
    start: (url) => ({
      program: "copilot",
      args: ["--allow-all-tools", "--no-color", "-p", task],
      env: {
        COPILOT_OFFLINE: "true",
        COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
        COPILOT_PROVIDER_API_KEY: "x",
        COPILOT_MODEL: "gpt-4.1"
      }
    })
  },
  gemini: {
    name: "@google/gemini-cli",
    shell: described("run_shell_command"),
    start: (url) => ({
      program: "gemini",
      args: ["--skip-trust", "--yolo", "-m", "gemini-2.5-pro", "-p", task],
      env: { GEMINI_API_KEY: "x", GOOGLE_GEMINI_BASE_URL: url },
      files: { ".gemini/settings.json": { security: { auth: { selectedType: "gemini-api-key" } } } }
    })
  },
  opencode: {
    name: "opencode-ai",
    shell: described("bash"),
    start: (url) => ({
      program: "opencode",
      args: ["run", "-m", "scripted/scripted", task],
      // If it has plugins, it installs a package for them first, and continues without it.
      env: {
        npm_config_offline: "true",
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1"
      },
      files: {
        ".config/opencode/opencode.json": {
          provider: {
            scripted: {
              npm: "@ai-sdk/openai-compatible",
              name: "scripted",
              options: { baseURL: `${url}/v1`, apiKey: "x" },
              models: { scripted: { name: "scripted" } }
            }
          }
        }
      }
    })
  },
  cline: {
    name: "cline",
    shell: (command) => ({ tool: "run_commands", input: { commands: [command] } }),
    start: () => ({ program: "cline", args: ["-P", "openai-compatible", "-k", "x", "-m", "scripted", task] })
  },
  "qwen-code": {
    name: "@qwen-code/qwen-code",
    shell: (command) => ({
      tool: "run_shell_command",
      input: { command, description: "make", is_background: false }
    }),
    start: (url) => ({
      program: "qwen",
      args: ["--yolo", "-p", task],
      env: { OPENAI_API_KEY: "x", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "scripted" },
      files: { ".qwen/settings.json": { security: { auth: { selectedType: "openai" } } } }
    }),
    other: {
      reply: "claude",
      file: ".qwen/settings.json",
      settings: (command) => ({ hooks: beforeTools(command) })
    }
  },
  droid: {
    name: "droid",
    shell: (command) => ({ tool: "Execute", input: { command, summary: "make", timeout: 60 } }),
    start: (url, { folder }) => ({
      program: join(programs, "droid/bin/droid"),
      args: ["exec", "--skip-permissions-unsafe", "-m", "custom:scripted-0", task],
      env: {
        FACTORY_AIRGAP_ENABLED: "true",
        FACTORY_DISABLE_KEYRING: "1",
        FACTORY_DROID_AUTO_UPDATE_ENABLED: "false",
        FACTORY_HOME_OVERRIDE: folder
      },
      files: {
        ".factory/settings.json": {
          customModels: [
            {
              model: "scripted",
              displayName: "scripted",
              baseUrl: `${url}/v1`,
              apiKey: "x",
              provider: "generic-chat-completion-api",
              maxOutputTokens: 1_000
            }
          ]
        }
      }
    }),
    other: { reply: "exit2", file: ".factory/hooks.json", settings: beforeTools }
  }
}

export const versionOf = (host: GenuineHost): string =>
  JSON.parse(readFileSync(join(programs, genuine[host].name, "package.json"), "utf8")).version

export interface Ended {
  readonly code: number | null
  readonly said: string
}

export const runIn = (
  { folder, workspace }: Home,
  program: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: workspace,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: runMs,
      killSignal: "SIGKILL",
      env: {
        PATH: `${join(programs, ".bin")}:${process.env["PATH"]}`,
        HOME: folder,
        XDG_CONFIG_HOME: join(folder, ".config"),
        TERM: "dumb",
        CI: "1",
        ...env
      }
    })
    let said = ""
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (bytes: Buffer) => (said += bytes.toString()))
    child.once("close", (code) => resolve({ code, said }))
  })

/** Writes the hook as its page describes, for hosts that are set up by hand. */
export const installHook = async (
  host: GenuineHost,
  home: Home,
  more: ReadonlyArray<string> = []
): Promise<Ended> => {
  const { other } = genuine[host]
  const words = other === undefined ? [host] : ["generic", "--reply", other.reply]
  const ended = await runIn(home, process.execPath, [home.agent, "hook", "install", ...words, ...more])
  if (other === undefined) return ended
  const path = join(home.folder, other.file)
  const [, command = ""] = /before each call: (.+)$/m.exec(ended.said) ?? []
  const before = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {}
  writeFileSync(path, JSON.stringify({ ...before, ...other.settings(command) }))
  return ended
}

/** What a program finds in its home before anything else is installed there. */
export const furnish = async (host: GenuineHost, modelUrl: string, home: Home): Promise<void> => {
  for (const [name, json] of Object.entries(genuine[host].start(modelUrl, home).files ?? {})) {
    const path = join(home.folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, JSON.stringify(json))
  }
  if (host !== "cline") return
  const provider = ["-p", "openai-compatible", "-k", "x", "-m", "scripted", "-b", `${modelUrl}/v1`]
  const { code, said } = await runIn(home, "cline", ["auth", ...provider])
  if (code !== 0) throw new Error(said)
}

/** The words that a program is started without, and with at the end. */
export interface OtherWords {
  readonly less?: ReadonlyArray<string>
  readonly more?: ReadonlyArray<string>
}

export const runHost = (
  host: GenuineHost,
  modelUrl: string,
  home: Home,
  env: Readonly<Record<string, string>>,
  { less = [], more = [] }: OtherWords = {}
): Promise<Ended> => {
  const start = genuine[host].start(modelUrl, home)
  const args = [...start.args.filter((word) => !less.includes(word)), ...more]
  return runIn(home, start.program, args, { ...start.env, ...env })
}
