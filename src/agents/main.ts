/** `action-risk-agent`: the small program that agent hosts start for every call. It loads none of the service's libraries. */

import { writeSync } from "node:fs"
import { isAbsolute } from "node:path"
import { fileURLToPath } from "node:url"
import { environments } from "../domain/Action.ts"
import { hookAnswerMs, localNodeMajorMin } from "../limits.ts"
import type { HookFinding } from "./hook/examineHook.ts"
import { type HookReply, hostNamed, hosts } from "./hook/hosts.ts"
import { type HookSurroundings, runEndHook, runHook } from "./hook/runHook.ts"
import type { OpenLink } from "./mcp/serverLinks.ts"
import { localWord, ownerFolder, processEnvironment } from "./settings.ts"

const usage = `usage: action-risk-agent hook install HOST [--local|--service URL] [--config FOLDER]
                         [--environment ${environments.join("|")}] [--outcomes]
       action-risk-agent hook run|report|uninstall|doctor HOST [--config FOLDER]
       action-risk-agent mcp gate --server NAME [--local] [--config FOLDER] -- COMMAND…
       action-risk-agent mcp gate --server NAME [--local] [--config FOLDER] --upstream URL
       action-risk-agent acp gate [--agent NAME] [--local] [--config FOLDER] -- AGENT…
HOST is one of:
${Object.keys(hosts)
  .map((host) => `       ${host}\n`)
  .join("")}`

/** The arguments before `--`, after which the server's command follows. */
const ownWords = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const dashes = words.indexOf("--")
  return dashes === -1 ? words : words.slice(0, dashes)
}

/** The value of a flag. */
const valueOf = (flag: string, words: ReadonlyArray<string>): string | undefined => {
  const at = words.indexOf(flag)
  return at === -1 ? undefined : words[at + 1]
}

/** Writes all output and ends the process, even if something is still running. Exits with 1 if a descriptor cannot be written to. */
const end = ({ exitCode, stderr, stdout }: HookReply): void => {
  const answerFd = words[0] === "hook" && words[1] === "run" ? valueOf("--answer-fd", words) : undefined
  process.stderr.write(stderr, () => {
    if (answerFd === undefined) process.stdout.write(stdout, () => process.exit(exitCode))
    else {
      writeSync(Number(answerFd), stdout)
      process.exit(exitCode)
    }
  })
}

const failed = (text: string): HookReply => ({ stdout: "", stderr: text, exitCode: 2 })

/** `--help` exits with 0. Without arguments the program refuses, because a misconfigured host may have started it. */
const helpFor = (noun: string | undefined): HookReply =>
  noun === undefined ? failed(usage) : { stdout: usage, stderr: "", exitCode: 0 }

const relativeFolder =
  "--config must be an absolute path: a relative one would resolve in the agent's working folder, which the agent can write to\n"

const run = async (words: ReadonlyArray<string>): Promise<HookReply> => {
  const [noun, verb, name] = words
  if (noun === undefined || ownWords(words).some((word) => word === "--help" || word === "-h"))
    return helpFor(noun)
  const folder = valueOf("--config", ownWords(words)) ?? ownerFolder(processEnvironment)
  if (!isAbsolute(folder)) return failed(relativeFolder)
  const surroundings = { folder, env: processEnvironment }
  if (noun === "mcp" && verb === "gate") return gate(surroundings)
  if (noun === "acp" && verb === "gate") return acpGate(surroundings)
  const host = hostNamed(name, valueOf("--reply", words))
  if (noun !== "hook" || host === undefined) return failed(usage)
  if (verb === "run") return runHook(host, process.stdin, surroundings)
  if (verb === "report") return runEndHook(host, process.stdin, surroundings)
  const script = fileURLToPath(import.meta.url)
  const program = { node: process.execPath, script, folder, outcomes: words.includes("--outcomes") }
  if (verb === "doctor")
    return examined(await (await import("./hook/examineHook.ts")).examineHook(host, program, surroundings))
  const { installHook, uninstallHook } = await import("./hook/installHook.ts")
  if (verb === "install") {
    const stated = valueOf("--environment", words)
    const environment = environments.find((one) => one === stated)
    const answers = answersWanted(words)
    if ((stated !== undefined && environment === undefined) || answers === null) return failed(usage)
    if (answers === localWord && isNodeTooOld) return failed(nodeTooOld)
    return said(await installHook(host, { environment, answers }, program, surroundings))
  }
  return verb === "uninstall" ? said(uninstallHook(host, surroundings)) : failed(usage)
}

const isNodeTooOld = Number.parseInt(process.versions.node, 10) < localNodeMajorMin
const nodeTooOld = `--local needs Node ${localNodeMajorMin} or newer, and this is Node ${process.versions.node}. The package brings one, which \`npx action-risk-agent\` uses where the package is installed.\n`

/** A password in a URL would be visible in the process list. */
const isPlainUrl = (text: string | undefined): text is string => {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
}

/** A service URL or `local`; undefined if the command names neither, null if it names both. */
const answersWanted = (words: ReadonlyArray<string>): string | null | undefined => {
  const isLocal = words.includes("--local")
  if (!words.includes("--service")) return isLocal ? localWord : undefined
  const url = valueOf("--service", words)
  return !isLocal && isPlainUrl(url) ? url : null
}

const examined = (findings: ReadonlyArray<HookFinding>): HookReply => {
  const lines = findings.map(({ because, says, sound }) => {
    if (sound !== false) return `${sound ? "ok  " : "note"} ${says}`
    return `NOT  ${says}${because === undefined ? "" : `: ${because}`}`
  })
  return { ...said(lines), exitCode: findings.every(({ sound }) => sound !== false) ? 0 : 2 }
}

/** The link to the server: the command after `--`, or the URL of `--upstream`. Undefined if neither or both are given. */
const linkOf = async (server: string, { env }: HookSurroundings): Promise<OpenLink | undefined> => {
  const own = ownWords(words)
  const command = words.slice(own.length + 1)
  const upstream = valueOf("--upstream", own)
  if (upstream === undefined)
    return command.length === 0
      ? undefined
      : (await import("./mcp/serverLinks.ts")).processLink(`server ${server}`, command, env)
  if (!isPlainUrl(upstream) || command.length > 0) return undefined
  const authorization = env["ACTION_RISK_UPSTREAM_AUTHORIZATION"]
  return (await import("./mcp/httpLink.ts")).httpLink({ url: new URL(upstream), authorization })
}

/** The gate has already written all its output when it ends. */
const gate = async (surroundings: HookSurroundings): Promise<HookReply> => {
  const own = ownWords(words)
  const server = valueOf("--server", own)
  const saysLocal = own.includes("--local")
  if (saysLocal && isNodeTooOld) return failed(nodeTooOld)
  const link = server === undefined ? undefined : await linkOf(server, surroundings)
  if (server === undefined || link === undefined) return failed(usage)
  const { runMcpGate } = await import("./mcp/mcpGate.ts")
  const code = await runMcpGate({
    name: server,
    link,
    saysLocal,
    input: process.stdin,
    output: process.stdout,
    ...surroundings
  })
  return { stdout: "", stderr: "", exitCode: code === 0 ? 0 : 2 }
}

const acpGate = async (surroundings: HookSurroundings): Promise<HookReply> => {
  const own = ownWords(words)
  const command = words.slice(own.length + 1)
  const [program] = command
  const saysLocal = own.includes("--local")
  if (saysLocal && isNodeTooOld) return failed(nodeTooOld)
  if (program === undefined) return failed(usage)
  const [{ processLink }, { nameOfAgent }, { runAcpGate }] = await Promise.all([
    import("./mcp/serverLinks.ts"),
    import("./acp/requests.ts"),
    import("./acp/acpGate.ts")
  ])
  const agent = valueOf("--agent", own) ?? nameOfAgent(program)
  const link = processLink(`agent ${agent}`, command, surroundings.env)
  const streams = { input: process.stdin, output: process.stdout }
  const code = await runAcpGate({ name: agent, link, saysLocal, ...streams, ...surroundings })
  return { stdout: "", stderr: "", exitCode: code === 0 ? 0 : 2 }
}

const said = (lines: ReadonlyArray<string>): HookReply => ({
  stdout: `${lines.join("\n")}\n`,
  stderr: "",
  exitCode: 0
})

const words = process.argv.slice(2)

/** Makes a hook answer before its host stops waiting, because hosts run a call whose hook is late. */
const watch = ([, verb, name]: ReadonlyArray<string>): void => {
  const host = hostNamed(name, valueOf("--reply", words))
  if (host === undefined) return
  const late = {
    run: () => hosts[host].reply("ask_person", "no risk opinion in time"),
    report: () => ({ stdout: "", stderr: "", exitCode: 0 }) as const
  }
  if (verb === "run" || verb === "report") setTimeout(() => end(late[verb]()), hookAnswerMs)
}

watch(words)
try {
  end(await run(words))
} catch (cause) {
  end(failed(`action-risk-agent: ${cause instanceof Error ? cause.message : String(cause)}\n`))
}
