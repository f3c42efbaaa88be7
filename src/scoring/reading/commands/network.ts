/** Reads programs that speak HTTP, such as `curl`: which data they download and send. */

import type { PreparedCommands, RequestWords } from "./Commands.ts"
import { hostIn, isUnconfirmedAddress } from "./landing.ts"
import { type Arguments, type ProgramCall, findForm, lineOf } from "./matchProgram.ts"
import {
  type CommandWord,
  type Flow,
  globFits,
  normalizePath,
  noFlow,
  plainWord,
  isOfClass
} from "./paths.ts"
import { holdsOf } from "./sql/rows.ts"
import { addAct, addNamed, type Context, nested, readAsShell, readCommandWords } from "./Context.ts"
import type { HttpRequest, CommandAct, NamedAct } from "./CommandReading.ts"

const valuesOf = ({ flags }: Arguments, names: ReadonlyArray<string>): ReadonlyArray<CommandWord> =>
  names.flatMap((name) => flags.get(name) ?? [])

/** The files that a request sends: `-T f`, `-d @f`, `-F x=@f`. `-` means standard input. */
const sentFiles = (given: Arguments, { bodies, files }: RequestWords): ReadonlyArray<CommandWord> => {
  const named = valuesOf(given, bodies).flatMap((word) => {
    const at = /^(?:[^=@]*=)?[@<](.+)$/s.exec(word.value)
    return at === null ? [] : [{ ...word, value: at[1] ?? "", dynamicFrom: undefined }]
  })
  return [...named, ...valuesOf(given, files)]
}

const isLocal = ({ landings }: PreparedCommands, { value }: CommandWord): boolean =>
  landings.local.has(hostIn(value))

/** A secret in a header only signs the caller in, but a secret in the URL or the body is disclosed. */
const sendsSecret = ({ context, given }: ProgramCall, files: ReadonlyArray<CommandWord>): boolean =>
  [...given.operands, ...valuesOf(given, context.commands.requests.bodies), ...files].some(
    ({ flow }) => flow.secret
  ) ||
  files.some((file) =>
    file.value === "-" ? context.stdin.secret : isOfClass(context.shell.classOf(file), "secret")
  )

/** Adds the act of sending data, judged by names such as `patients.csv`. */
const addData = ({ context, program }: ProgramCall, files: ReadonlyArray<CommandWord>): void => {
  const { dataSent } = context.commands.acts
  const holds = holdsOf(
    files.map(({ value }) => value.split("/").at(-1) ?? ""),
    context.commands
  )
  const grave = holds === "restricted" || holds === "regulated"
  addAct(context, `${program.name}.send`, grave ? { ...dataSent, holds, impact: "critical" } : dataSent)
}

/** The path segments that match each `*`; undefined if the path does not match. */
const namedIn = (
  pattern: ReadonlyArray<string>,
  path: ReadonlyArray<string>
): ReadonlyArray<string> | undefined => {
  const isOpen = pattern.at(-1) === "**"
  const fixed = isOpen ? pattern.slice(0, -1) : pattern
  if (isOpen ? path.length < fixed.length : path.length !== fixed.length) return undefined
  if (!fixed.every((glob, i) => globFits(glob, path[i] ?? ""))) return undefined
  return path.filter((_, i) => fixed[i]?.includes("*"))
}

/** Normalizes `-f private=false` and `{"private": false}` to `private:false`. */
const squeezed = (text: string): string => text.replace(/[\s"'\\]+/g, "").replaceAll("=", ":")

/** A plain name. Other segments, such as variables, are left out of the equivalent command. */
const plainSegment = /^[\w.@:-]+$/

/** The command that is equivalent to a request to a known service. For a development host, only the URL is read. */
export const commandOfRequest = (
  { body, method, url }: HttpRequest,
  { apis, landings }: Pick<PreparedCommands, "apis" | "landings">
): string | undefined => {
  if (!/^https?:\/\//i.test(url) || !isUnconfirmedAddress(url, landings)) return undefined
  const host = hostIn(url)
  const [, path = "", query = ""] = /^https?:\/\/[^/?#]*([^?#]*)\??([^#]*)/i.exec(url) ?? []
  const segments = path.split("/").filter((segment) => segment !== "")
  const sent = squeezed(`${query} ${body}`)
  for (const api of apis) {
    if (!api.hosts.some((glob) => globFits(glob, host))) continue
    for (const request of api.requests) {
      if (request.methods?.has(method.toUpperCase()) === false) continue
      const names = namedIn([...api.base, ...request.segments], segments)
      if (names === undefined) continue
      if (request.sent?.some((glob) => globFits(`*${glob}*`, sent)) === false) continue
      return request.command.replace(/\{(\d)\}/g, (_, place: string) => {
        const name = names[Number(place) - 1] ?? ""
        return plainSegment.test(name) ? name : "x"
      })
    }
  }
  return undefined
}

const graphPath = /\/(?:graphql|gql)(?:\/v\d+)?\/?$/i
const graphQuery = /^\s*(?:query\b|\{)|"query"\s*:\s*"\s*(?:query\b|\{)/

/** Whether a POST only reads: a search, or a GraphQL query. */
const onlyAsks = ({ asks }: RequestWords, { body, method, url }: HttpRequest): boolean => {
  if (method !== "POST") return false
  const path = url.replace(/[?#].*/s, "")
  if (asks.some((glob) => globFits(glob, path))) return true
  return graphPath.test(path) && graphQuery.test(body) && !/\b(?:mutation|subscription)\b/i.test(body)
}

/** Reads requests as their equivalent commands. False if one of them has none. */
const readAsCommands = (context: Context, requests: ReadonlyArray<HttpRequest>): boolean => {
  const same = requests.map((request) => commandOfRequest(request, context.commands))
  if (same.length === 0 || same.includes(undefined)) return false
  // The equivalent program determines where it acts.
  const inside = { ...nested(context, noFlow), isRemote: false }
  for (const command of same) readAsShell(inside, command ?? "")
  return true
}

/** Adds the request of a program that makes requests among other things: `gh api -X DELETE repos/acme/app`. True if its act is known. */
export const addStatedRequest = ({ context, given, program }: ProgramCall): boolean => {
  const { request } = program
  if (request === undefined) return false
  const { bodies, methods, verbs } = context.commands.requests
  const [first, second] = given.operands
  if (request.for !== undefined && request.for !== first?.value) return false
  const urlFlags = request.url?.split(" ")
  const [address] = urlFlags === undefined ? [second] : valuesOf(given, urlFlags)
  if (address === undefined) return false
  const sent = valuesOf(given, [...bodies, ...(request.body?.split(" ") ?? [])]).map(({ value }) => value)
  const stated = valuesOf(given, methods)[0]?.value ?? verbs[first?.value ?? ""]
  const { value } = address
  const url = value.includes("://") ? value : `${request.base ?? ""}/${value.replace(/^\/+/, "")}`
  const made = { method: stated ?? (sent.length > 0 ? "POST" : "GET"), url, body: sent.join(" ") }
  if (readAsCommands(context, [made])) return true
  if (onlyAsks(context.commands.requests, made)) {
    addNamed(context, "httpRead", `${program.name}.get`)
    return true
  }
  context.session.requests.push(made)
  return false
}

const addRequest = (call: ProgramCall): void => {
  const { context, given, program } = call
  const { commands, session, shell } = context
  const add = (act: NamedAct, verb: string) => addNamed(context, act, `${program.name}.${verb}`)
  const { bodies, methods } = commands.requests
  const files = sentFiles(given, commands.requests)
  const urls = given.operands.filter(({ value }) => !/^(?:get|post|put|patch|delete|head)$/i.test(value))
  const methodWord = valuesOf(given, methods)[0] ?? given.operands.find((word) => !urls.includes(word))
  const sent = valuesOf(given, bodies).map(({ value }) => value)
  const hasBody = files.length > 0 || sent.length > 0
  const method = (methodWord?.value ?? (hasBody ? "POST" : "GET")).toUpperCase()
  if (urls.length > 0 && urls.every((word) => isLocal(commands, word))) return add("httpLocal", "local")
  const body = sent.join(" ")
  const requests = urls.map(({ value }): HttpRequest => ({ method, url: value, body }))
  const isKnown = readAsCommands(context, requests)
  if (!isKnown) session.requests.push(...requests)
  if (sendsSecret(call, files)) return add("secretSent", "send")
  const classes = files.map(shell.classOf)
  if (classes.some((of) => ["data", "documents", "personal", "system", "log", "home"].includes(of)))
    return addData(call, files)
  if (isKnown) return
  if (files.some(({ value }) => value !== "-") && method !== "DELETE") return add("fileSent", "send")
  if (method === "DELETE") return add("httpDelete", "delete")
  const reads =
    method === "GET" ||
    method === "HEAD" ||
    method === "OPTIONS" ||
    (files.length === 0 &&
      requests.length > 0 &&
      requests.every((request) => onlyAsks(commands.requests, request)))
  add(reads ? "httpRead" : "httpWrite", reads ? "get" : "send")
}

/** The file to which a response is written. */
const outputOf = ({ context, given, program: { name } }: ProgramCall): CommandWord | undefined => {
  const named = valuesOf(given, context.commands.requests.outputs)[0]
  if (named !== undefined) return named
  const keepsName = given.flags.has("-O") || given.flags.has("--remote-name") || name === "wget"
  const last = given.operands.at(-1)?.value.split(/[?#]/)[0]?.split("/").at(-1)
  return keepsName && last !== undefined && last !== "" ? plainWord(last) : undefined
}

/** `curl file:///etc/passwd` is equivalent to `cat /etc/passwd`, or to `cp` if it has an output. */
const readLocalFiles = ({ context, given }: ProgramCall, output: CommandWord | undefined): Flow => {
  const files = given.operands.map((word) => ({ ...word, value: word.value.slice("file://".length) }))
  const words = output === undefined ? [plainWord("cat"), ...files] : [plainWord("cp"), ...files, output]
  return readCommandWords({ ...nested(context), isRemote: false }, words)
}

export const readRequest = (call: ProgramCall, writeTo: (file: CommandWord) => void): Flow => {
  const { context, given, program } = call
  const { commands, session, shell } = context
  const { operands } = given
  const output = outputOf(call)
  if (operands.length > 0 && operands.every(({ value }) => /^file:\/\//i.test(value)))
    return readLocalFiles(call, output)
  const special = findForm(program, given, shell.classOf)
  if (special !== undefined) addAct(context, program.name, special.act, lineOf(program, special))
  addRequest(call)
  // A flag's value may come from another command's output, such as a token.
  const local = operands.length > 0 && operands.every((word) => isLocal(commands, word))
  const toStandardOutput = output === undefined || output.value === "-" || output.value === "/dev/stdout"
  if (!toStandardOutput) {
    writeTo(output)
    if (!local) session.fetchedFiles.add(normalizePath(output.value))
  }
  return { ...noFlow, fetched: toStandardOutput && !local }
}

/** Whether the output is data worth keeping: `tar c .`, `cat dump.sql`. */
export const carriesData = ({ context, given }: ProgramCall, { type }: CommandAct): boolean =>
  type === "database.dump" ||
  ((type === "archive.write" || type === "system.archive" || type === "file.read") &&
    given.operands.some((word) => context.commands.kept.has(context.shell.classOf(word))))
