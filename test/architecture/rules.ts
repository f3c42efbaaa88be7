/** The rules of docs/architecture.md about source files; each names the lines that break it. */

import { basename } from "node:path"
import type { SourceFile } from "./SourceFile.ts"

/** `file:line what is wrong` */
type Finding = string
export type ArchitectureRule = (file: SourceFile) => ReadonlyArray<Finding>

const ground = ["limits.ts", "evenShare.ts", "foreignText.ts", "boundedMap.ts"]
const workers = ["threads.ts"]
const settings = ["config.ts", "environment.ts"]
const measures = ["metrics.ts"]
const pages = ["markup.ts", "charts.ts"]

/** The folders below the use cases, which every folder that answers requests may import. */
const beneathUseCases = [
  "api",
  "storage",
  "rules",
  "scoring",
  "domain",
  "json",
  ...settings,
  ...measures,
  ...ground
]
const beneathServing = ["assessment", "webhooks", "runtimeTuning.ts", ...beneathUseCases]

/** The other rooms that a room may import. Everything not named here is forbidden. */
const arrows: Readonly<Record<string, ReadonlyArray<string>>> = {
  "main.ts": ["cli", "runtimeTuning.ts"],
  cli: ["console", "server", "evidence", "agents", "client", ...pages, ...workers, ...beneathServing],
  console: ["server", "evidence", ...pages, ...beneathServing],
  server: ["evidence", ...beneathServing],
  evidence: ["assessment", ...workers, ...beneathUseCases],
  assessment: beneathUseCases,
  webhooks: ["runtimeTuning.ts", "api", "storage", "domain", "json", ...settings, ...measures, ...ground],
  storage: ["scoring", "domain", "json", ...settings, ...measures, ...ground],
  rules: ["scoring", "domain", "json", ...workers, ...measures, ...ground],
  agents: ["local", "client", "domain", "json", ...ground],
  // No settings: a workspace can set the variables of an agent's process.
  local: ["assessment", "client", "api", "storage", "rules", "scoring", "domain", "json", ...ground],
  client: ["api", "domain", "json", ...ground],
  api: ["domain", "json", ...ground],
  scoring: ["domain", "json", ...ground],
  domain: ["json"],
  json: [...ground],
  "config.ts": ["domain", ...settings, ...ground],
  "environment.ts": ["domain", ...ground],
  "metrics.ts": ["domain"],
  "runtimeTuning.ts": [],
  "limits.ts": [],
  "evenShare.ts": [],
  "boundedMap.ts": [],
  "threads.ts": [],
  "foreignText.ts": [],
  "markup.ts": ["foreignText.ts"],
  "charts.ts": pages
}

export const arrowsPointOneWay: ArchitectureRule = ({ path, room, imports }) => {
  const reachable = arrows[room]
  if (reachable === undefined)
    return [`${path}:1 lies in a room that the architecture does not know: ${room}`]
  return imports
    .filter(({ relative, target }) => relative && target.startsWith("src/"))
    .map(({ line, target }) => ({ line, to: target.split("/")[1] ?? target }))
    .filter(({ to }) => to !== room && !reachable.includes(to))
    .map(({ line, to }) => `${path}:${line} ${room} must not import ${to}`)
}

/** A page shows plain strings, figures and lists, which its screen made from the answers. */
export const pagesTakePlainViews: ArchitectureRule = ({ imports, path }) =>
  /^src\/console\/(?:pages|parts)\//.test(path)
    ? imports
        .filter(({ target }) => /^src\/(?:rules|scoring|storage)\//.test(target))
        .map(({ line, target }) => `${path}:${line} a page must not import ${target}`)
    : []

const span = /(?:Effect\.fn|tracedFn)\("(?:\w+\.)*(\w+)"\)/
const tagged = /class (\w+) extends (?:Schema|Data)\.TaggedError(?:<\w+>\(\))?\("(\w+)"/g
const keyed =
  /(?:class (\w+) extends Context\.Service<|const (\w+) = Context\.Reference)[\s\S]*?\(\s*"action-risk\/(?:[\w.]+\/)*(\w+)"/g

/** A span has the name of its function, an error the name of its tag, and a service that of its key: a log or a trace leads to the code. */
export const namesAgree: ArchitectureRule = ({ lines, path }) => {
  const spans = lines.flatMap((line, at) => {
    const named = span.exec(line)?.[1]
    const [, owner] = /(\w+)(?:: [^=]+)?\s*[:=]\s*(?:Effect\.fn|tracedFn)\(/.exec(line) ?? []
    const before = /(\w+)\s*[:=]$/.exec(lines[at - 1]?.trim() ?? "")?.[1]
    return named === undefined || named === (owner ?? before)
      ? []
      : [`${path}:${at + 1} the span ${named} is not named like its function`]
  })
  const text = lines.join("\n")
  const tags = [...text.matchAll(tagged)].flatMap(([, name, tag]) =>
    name === tag ? [] : [`${path}:1 the error ${name} has the tag ${tag}`]
  )
  const keys = [...text.matchAll(keyed)].flatMap(([, service, reference, key]) =>
    (service ?? reference) === key ? [] : [`${path}:1 ${service ?? reference} has the key ${key}`]
  )
  return [...spans, ...tags, ...keys]
}

/** The light program opens no release, and takes the words of parameters along. */
const takenAlong: Readonly<Record<string, string>> = {
  "src/agents/handedArguments.ts": "rules/lexicon/parameters/general.json"
}

export const importsStayInSource: ArchitectureRule = ({ path, imports }) =>
  imports
    .filter(({ relative, target }) => relative && !target.startsWith("src/") && target !== takenAlong[path])
    .map(({ line, target }) => `${path}:${line} reaches outside src: ${target}`)

/** Libraries that are pure functions: the same on every machine, at every time. */
const pureLibraries: Readonly<Record<string, ReadonlyArray<string>>> = {
  // unbash: a parser of shell commands without dependencies, a function from text to tree.
  // Lezer: parsers of programming languages, tables and a function from text to tree.
  scoring: ["unbash", "@lezer/common", "@lezer/javascript", "@lezer/lr", "@lezer/python"],
  // crc32 only: the checksum of a key.
  domain: ["node:zlib"]
}

export const theCoreImportsNothingImpure: ArchitectureRule = ({ path, room, imports }) => {
  const pure = pureLibraries[room]
  if (pure === undefined) return []
  return imports
    .filter(({ relative, target }) => !relative && !pure.includes(target))
    .map(({ line, target }) => `${path}:${line} ${room} must stay pure and must not import ${target}`)
}

/** Code that depends on the machine, the moment or the locale. Powers of integers with `n` are exact, others need not be. */
const impure =
  /\bDate\.now\b|\bnew Date\(\s*\)|\bMath\.(?:random|log\w*|pow|exp\w*|sqrt|sin|cos|tan)\b|(?<!\dn )\*\*|\bperformance\b|\bprocess\b|\bcrypto\b|\bglobalThis\b|\basync\b|\bawait\b|\bsetTimeout\b|\bIntl\b|\btoLocale\w*|\blocaleCompare\b/

export const theCoreReadsNoClockAndNoChance: ArchitectureRule = ({ path, room, code }) =>
  room in pureLibraries
    ? matches(code, impure).map(({ line, found }) => `${path}:${line} ${room} must stay pure: ${found}`)
    : []

/** A variable of a module, or a collection in one that begins empty. */
const moduleState = /^(?:export )?(?:let \w+|const \w+.*= new (?:WeakMap|WeakSet|Map|Set)(?:<.*>)?\(\))/

/** A table of code points: the same for every call, and too long to be made at each start. */
const tables = new Set(["src/scoring/names/lookalike.ts"])

export const theCoreKeepsNothingBetweenCalls: ArchitectureRule = ({ path, room, code }) =>
  room in pureLibraries && !tables.has(path)
    ? matches(code, moduleState).map(
        ({ line, found }) => `${path}:${line} ${room} must keep nothing between calls: ${found}`
      )
    : []

export const onlyTheReferenceKnowsTheRulesEngine: ArchitectureRule = ({ path, imports }) =>
  imports
    .filter(({ target }) => target === "json-rules-engine" && path !== "src/rules/language/reference.ts")
    .map(({ line }) => `${path}:${line} json-rules-engine belongs to src/rules/language/reference.ts alone`)

/** PATH and SystemRoot are the operating system's, and are handed on to child processes. */
const environment = /\bprocess\.env\b(?!\["(?:PATH|SystemRoot)"\])|\bprocess\[/

/** The second one is that of the light programs, which load nothing of the service. */
const environmentReaders = new Set(["src/config.ts", "src/agents/settings.ts"])

export const onlyConfigReadsTheEnvironment: ArchitectureRule = ({ path, lines }) =>
  environmentReaders.has(path)
    ? []
    : matches(lines, environment).map(
        ({ line }) => `${path}:${line} reads the environment; a variable belongs to src/config.ts`
      )

/** Units and no weights: basis points in a whole, hundredths and percent, billionths in a unit and in a cent. */
const scales = new Set(["10_000", "100", "1_000_000_000n", "10_000_000n"])

export const scoringHoldsNoNumbers: ArchitectureRule = ({ path, room, code }) =>
  room === "scoring"
    ? matches(code, /(?<![\w.])\d[\d_]{2,}n?\b/)
        .filter(({ found }) => !scales.has(found))
        .map(({ line, found }) => `${path}:${line} ${found} belongs into a rule release`)
    : []

export const longestFile = 400

/** Two lists of independent entries: a reader looks up one entry, and never reads the whole. */
const lists: ReadonlySet<string> = new Set(["src/limits.ts", "src/config.ts"])

export const filesAreReadable: ArchitectureRule = ({ path, lines }) =>
  lines.length > longestFile + 1 && !lists.has(path)
    ? [`${path}:${longestFile + 1} is longer than ${longestFile} lines: ${lines.length - 1}`]
    : []

const emptyNames = new Set([
  "utils",
  "util",
  "helpers",
  "helper",
  "common",
  "shared",
  "misc",
  "types",
  "index",
  "lib"
])

export const namesSaySomething: ArchitectureRule = ({ path }) =>
  path
    .split("/")
    .map((part) => basename(part, ".ts"))
    .filter((part) => emptyNames.has(part.toLowerCase()))
    .map((part) => `${path}:1 is named ${part}, which says nothing about what is in it`)

export const filesSayWhatTheyAre: ArchitectureRule = ({ path, lines }) => {
  const first = lines[0]?.startsWith("#!") ? 1 : 0
  return /^\/\*\* .+[.?] \*\/$/.test(lines[first] ?? "")
    ? []
    : [`${path}:${first + 1} must start with one line /** A sentence that says what the file is. */`]
}

/** Words that claim an authority the service does not have (specification 1.3), as names in code. */
const authority = /\b\w*(?:decision|verdict|approv(?:e|al)|authoriz|den(?:y|ied)|allow)\w*/i

/** Names that are not ours: HTTP's Authorization and Allow headers, npm's, jsonc-parser's, node:tls's, the hosts' of hooks, the frameworks' and the contract's own. */
const notOurs = [
  /^allow$/,
  /^(?:METHOD_NOT_ALLOWED|\w*[Mm]ethodNotAllowed)$/,
  /^\w*[Aa]uthorization(?:s|Headers?)?$/,
  /^SECONDARY_APPROVAL_RECOMMENDED$/,
  /^disallowComments$/,
  /^rejectUnauthorized$/,
  /^(?:permissionDecision(?:Reason)?|decision)$/,
  /^(?:needsApproval|allowedDecisions|allowedOrigins)$/,
  /^(?:webhookA|a)llowInsecure$/
]

export const opinionsClaimNoAuthority: ArchitectureRule = ({ path, code }) => [
  ...matches(code, authority)
    .filter(({ found }) => !notOurs.some((name) => name.test(found)))
    .map(({ line, found }) => `${path}:${line} ${found} claims an authority; the result is an opinion`),
  ...(/decision|verdict/i.test(path)
    ? [`${path}:1 is named after an authority; the result is an opinion`]
    : [])
]

export const thereAreNoBarrels: ArchitectureRule = ({ path, code }) =>
  matches(code, /^\s*export\s+(?:\*|(?:type\s+)?\{[^}]*\}\s*from)/).map(
    ({ line }) => `${path}:${line} exports again what another file exports`
  )

export const nothingIsLeftForLater: ArchitectureRule = ({ path, lines }) =>
  matches(lines, /\b(?:TODO|FIXME|XXX|HACK)\b|\/\/ ?[-=*#]{3,}/).map(
    ({ line, found }) => `${path}:${line} ${found} does not belong into the source`
  )

const matches = (lines: ReadonlyArray<string>, pattern: RegExp) =>
  lines.flatMap((text, index) => {
    const every = new RegExp(
      pattern.source,
      pattern.flags.includes("g") ? pattern.flags : `${pattern.flags}g`
    )
    return [...text.matchAll(every)].map((match) => ({ line: index + 1, found: match[0].trim() }))
  })
