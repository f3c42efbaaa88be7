/** Reads the arguments of a tool by the roles of its parameters and by the rules for their values. */

import type { ActionClass } from "../../../domain/Action.ts"
import { byCodeUnit, type Json, type JsonObject } from "../../../json/json.ts"
import { splitName, type SplitName } from "../../names/splitName.ts"
import type { PreparedCommands } from "../commands/Commands.ts"
import type { CommandTools } from "../commands/commandTools.ts"
import { makeClassOf, plainWord } from "../commands/paths.ts"
import {
  type ArgumentReading,
  mergeArguments,
  onlyHolds,
  type PreparedSignals,
  readArguments,
  type Signal
} from "../readArguments.ts"
import type { Vocabulary } from "../Vocabulary.ts"
import { codesIn, type CodeText, fileCommandIn, isPlainText, writesIn } from "./codes.ts"
import {
  amountsIn,
  destinationIn,
  isStranger,
  largestOf,
  listLength,
  senderKeys,
  type StatedAmount
} from "./figures.ts"
import type { ParameterConventions, ParameterRole, PreparedParameters } from "./Parameters.ts"
import {
  conventionsOfTool,
  isCondition,
  type MatchedRules,
  matchRules,
  type RoledLeaf,
  type ToolName,
  withRoles
} from "./roles.ts"
import { domainsIn, isEmpty, type ValueKnowledge } from "./valueClasses.ts"
import {
  annotationsOf,
  retitled,
  type ServerClaims,
  type AtPath,
  atPath,
  walkArguments
} from "./walkArguments.ts"

export interface ArgumentLexicon {
  readonly vocabulary: Vocabulary
  readonly tools: CommandTools
  readonly signals: PreparedSignals
  readonly commands: PreparedCommands
  readonly parameters: PreparedParameters
}

/** An argument that affected the reading. */
export interface CountedArgument {
  readonly path: string
  readonly role: ParameterRole | "unknown"
}

/** Values from the arguments for fields that the request does not state. */
export interface ArgumentFields {
  readonly amounts: ReadonlyArray<StatedAmount>
  readonly entities: AtPath<number> | undefined
  readonly records: AtPath<number> | undefined
  readonly destination: AtPath<string> | undefined
}

export interface ToolArguments extends ArgumentFields {
  /** The combined reading of names, places and settings. */
  readonly reading: ArgumentReading
  /** The arguments as JSON without prose and code, for tools that pass on a request. */
  readonly text: string
  readonly codes: ReadonlyArray<CodeText>
  /** The commands equivalent to what the tool writes. */
  readonly writes: ReadonlyArray<CodeText>
  /** Verbs under keys that name a verb. */
  readonly deeds: ReadonlyArray<AtPath<SplitName>>
  readonly labels: ReadonlyArray<CodeText>
  /** The values that can name a place: hosts, projects, namespaces. Neither paths nor people's addresses. */
  readonly places: ReadonlyArray<string>
  /** Code in parameters that only the tool's schema declares to be code. */
  readonly claimedCodes: ReadonlyArray<CodeText>
  /** The argument that triggered each signal of the reading. */
  readonly signalled: ReadonlyMap<Signal, AtPath<string>>
  readonly counted: ReadonlyArray<CountedArgument>
  readonly unread: ReadonlyArray<string>
}

const silentRoles: ReadonlySet<ParameterRole | undefined> = new Set<ParameterRole>([
  "prose",
  "code",
  "address",
  "limit",
  "simulation",
  "secret",
  "currency",
  "money",
  "unit_money",
  "quantity",
  "label"
])

/** Classes of acts in which the call gives the object its name. */
const titling: ReadonlySet<ActionClass> = new Set<ActionClass>([
  "internal",
  "simulate",
  "read",
  "write",
  "communicate"
])

/** Reads each value with its name separately, so that none hides another and order does not matter. */
const readWords = (
  leaves: ReadonlyArray<RoledLeaf>,
  conventions: ReadonlyArray<ParameterConventions>,
  own: ActionClass,
  { parameters: { limits }, signals: prepared, vocabulary }: ArgumentLexicon
): Pick<ToolArguments, "reading" | "signalled" | "unread"> => {
  const readings: Array<ArgumentReading> = []
  const signalled = new Map<Signal, AtPath<string>>()
  const unread: Array<string> = []
  const seen = new Set<string>()
  for (const leaf of leaves) {
    if (silentRoles.has(leaf.role) || isEmpty(leaf.value)) continue
    if (leaf.role === "title" && titling.has(own)) continue
    const value = String(leaf.value)
    const text = JSON.stringify({ [leaf.name.slice(0, limits.valueMax)]: value.slice(0, limits.valueMax) })
    if (seen.has(text)) continue
    seen.add(text)
    if (seen.size > limits.wordedMax) {
      unread.push(leaf.path)
      break
    }
    const said = readArguments({ targetResource: text }, vocabulary, prepared)
    // A parameter's name is not a thing: `key` is not a secret, and `bucket` next to an object does not delete the bucket. The value of an
    // unknown parameter is not a thing either.
    const named =
      typeof leaf.value === "string" && leaf.role !== "filter" && leaf.role !== "recipient"
        ? readArguments({ targetResource: value.slice(0, limits.valueMax) }, vocabulary, prepared)
        : undefined
    const narrows = leaf.role === "filter" || isCondition(leaf, conventions)
    // A read does not disclose the words that it searches for: `{"pattern":"password"}`.
    const isSought = narrows && own === "read"
    const signals = [...said.signals, ...(named?.signals ?? [])].filter(
      (signal) => signal.lowers !== true && !(isSought && onlyHolds(signal))
    )
    for (const signal of signals) if (!signalled.has(signal)) signalled.set(signal, atPath(leaf))
    readings.push({
      ...said,
      words: { ...said.words, target_resource: named?.words.target_resource ?? [] },
      signals,
      nouns: narrows || leaf.role === undefined ? [] : (named?.nouns ?? []),
      unplacedNouns:
        narrows || leaf.role === undefined || leaf.role === "place" ? [] : (named?.unplacedNouns ?? []),
      verbs: narrows || leaf.role === "deed" ? [] : said.verbs,
      admin: !narrows && named?.admin === true,
      everything: leaf.role !== "switch" && (named?.everything ?? said.everything)
    })
  }
  return { reading: mergeArguments(readings), signalled, unread }
}

/** The first `unitsMax` units of canonical JSON, members in order. Stops early, so it does no more work than they need. */
const canonicalText = (json: Json, unitsMax: number): string => {
  let text = ""
  const write = (one: Json): void => {
    if (typeof one !== "object" || one === null) {
      text += JSON.stringify(one)
      return
    }
    const isList = Array.isArray(one)
    text += isList ? "[" : "{"
    let separator = ""
    for (const key of isList ? one.keys() : Object.keys(one).toSorted()) {
      if (text.length >= unitsMax) return
      text += typeof key === "string" ? `${separator}${JSON.stringify(key)}:` : separator
      write((one as JsonObject)[key] ?? null)
      separator = ","
    }
    text += isList ? "]" : "}"
  }
  write(json)
  return text.slice(0, unitsMax)
}

/** The distinct verbs under keys that name a verb. */
const deedsIn = (
  values: ReadonlyArray<RoledLeaf>,
  conventions: ReadonlyArray<ParameterConventions>,
  { parameters: { limits }, vocabulary }: ArgumentLexicon
): { readonly deeds: ToolArguments["deeds"]; readonly unread: ReadonlyArray<string> } => {
  const deeds = new Map<string, AtPath<SplitName>>()
  for (const leaf of values) {
    if (leaf.role !== "deed" || typeof leaf.value !== "string" || isCondition(leaf, conventions)) continue
    const split = splitName(leaf.value.slice(0, limits.valueMax), vocabulary.isKnown)
    const words = split.words.join(" ")
    if (words === "" || deeds.has(words)) continue
    if (deeds.size >= limits.codesMax) return { deeds: [...deeds.values()], unread: [leaf.path] }
    deeds.set(words, { path: leaf.path, value: split })
  }
  return { deeds: [...deeds.values()], unread: [] }
}

const figuresIn = (
  values: ReadonlyArray<RoledLeaf>,
  containers: ReadonlyArray<RoledLeaf>,
  conventions: ReadonlyArray<ParameterConventions>
): Omit<ArgumentFields, "destination"> => ({
  amounts: amountsIn(values, conventions),
  entities: largestOf(
    containers
      .filter((leaf) => (leaf.role === "list" || leaf.role === "recipient") && listLength(leaf) > 0)
      .map((leaf) => ({ path: leaf.path, value: listLength(leaf) }))
  ),
  records: largestOf(
    values
      .filter(({ role, value }) => role === "limit" && typeof value === "number" && value > 0)
      .map(({ path, value }) => ({ path, value: Math.floor(Number(value)) }))
  )
})

const labelsIn = (
  values: ReadonlyArray<RoledLeaf>,
  { limits }: PreparedParameters
): ReadonlyArray<CodeText> =>
  values
    .flatMap(({ path, role, value }) =>
      role === "label" && typeof value === "string" ? [{ path, text: value.slice(0, limits.valueMax) }] : []
    )
    .slice(0, limits.codesMax)

const placesIn = (values: ReadonlyArray<RoledLeaf>): ReadonlyArray<string> =>
  values.flatMap(({ role, value }) =>
    !silentRoles.has(role) && typeof value === "string" && !/[/@\s]/.test(value) ? [value] : []
  )

/** The roles of the arguments that affected the reading, by path. Rules name their own parameters. */
const countedOf = (
  paths: ReadonlyMap<string, ParameterRole | "unknown">,
  {
    codes,
    deeds,
    destination,
    entities,
    amounts,
    records
  }: Pick<ToolArguments, "codes" | "deeds" | keyof ArgumentFields>
): ReadonlyArray<CountedArgument> => {
  const roles = new Map(paths)
  const add = (role: ParameterRole, found: ReadonlyArray<{ readonly path: string } | undefined>): void => {
    for (const one of found) if (one !== undefined) roles.set(one.path, role)
  }
  add("money", [largestOf(amounts)])
  add("list", [entities])
  add("limit", [records])
  add("recipient", [destination])
  add("code", codes)
  add("deed", deeds)
  return [...roles].map(([path, role]) => ({ path, role })).toSorted((a, b) => byCodeUnit(a.path, b.path))
}

const writing: ReadonlySet<ActionClass> = new Set<ActionClass>(["write", "configure", "unknown"])

/** Placeholder for a text that the caller left out. */
const leftOutText = "…"

/** The paths that the caller left out and that could have changed the act. Prose could not. */
const unreadOf = (leftOut: ReadonlySet<string>, leaves: ReadonlyArray<RoledLeaf>, own: ActionClass) => {
  const idle = new Set<ParameterRole | undefined>(["prose", "address", "secret"])
  if (titling.has(own)) idle.add("title")
  const said = new Set(leaves.filter(({ role }) => idle.has(role)).map(({ path }) => path))
  return [...leftOut].filter((path) => !said.has(path))
}

const firstPaths = (
  paths: ReadonlyArray<string>,
  { valueMax, wordedMax }: PreparedParameters["limits"]
): ReadonlyArray<string> => [...new Set(paths)].slice(0, wordedMax).map((path) => path.slice(0, valueMax))

/**
 * The signals and the code that follow from the server's claims about its tool. Claims are not trusted, so signals that lower risk or set a
 * class are dropped.
 */
const claimedBy = (
  claims: ServerClaims,
  leaves: ReadonlyArray<RoledLeaf>,
  tool: ToolName,
  knowledge: ValueKnowledge,
  lexicon: ArgumentLexicon
): Pick<ToolArguments, "claimedCodes" | "signalled"> & Pick<MatchedRules, "paths"> => {
  const { parameters, vocabulary } = lexicon
  const { isKnown } = vocabulary
  const conventions = conventionsOfTool(tool, parameters)
  const unexplained = leaves.filter(({ role }) => role === undefined)
  const titled = withRoles(retitled(unexplained, claims, parameters, isKnown), conventions)
  const hints = tool.isListed ? [] : withRoles(annotationsOf(claims, parameters, isKnown), conventions)
  const rules = matchRules([...titled, ...hints], conventions, tool.own.join("_"), knowledge)
  const { signalled } = readWords(titled, conventions, tool.class, lexicon)
  const raising = [...signalled, ...rules.signals].filter(
    ([signal]) => signal.lowers !== true && signal.class === undefined
  )
  return {
    claimedCodes: codesIn({ values: titled, containers: [] }, knowledge, parameters).codes,
    signalled: new Map(raising),
    paths: rules.paths
  }
}

/**
 * The commands equivalent to a tool's changes to files, and the values that are not paths of such a command, which has already read its
 * paths.
 */
const changesOfFiles = (
  values: ReadonlyArray<RoledLeaf>,
  { class: own, fileTool }: ToolName,
  knowledge: ValueKnowledge,
  { commands: { obeyed, programs }, parameters, tools }: ArgumentLexicon
): { readonly writes: ReadonlyArray<CodeText>; readonly others: ReadonlyArray<RoledLeaf> } => {
  const command = fileTool === undefined ? undefined : fileCommandIn(fileTool, values, tools)
  const [program = "", ...flags] = fileTool?.program.split(" ") ?? []
  const stores = command === undefined ? writing.has(own) : programs.get(program)?.stores === true
  const appends = flags.includes("-a")
  const written = stores ? writesIn(values, { appends, obeyed }, knowledge, parameters) : []
  return {
    writes: written.length > 0 || command === undefined ? written : [command.code],
    others: values.filter((leaf) => command?.paths.has(leaf) !== true)
  }
}

interface GivenArguments {
  readonly arguments: Json
  readonly claims: ServerClaims
  /** The paths of values that the caller handed over incompletely or not at all. */
  readonly leftOut: ReadonlySet<string>
}

export const readToolArguments = (
  { arguments: args, claims, leftOut }: GivenArguments,
  tool: ToolName,
  lexicon: ArgumentLexicon
): ToolArguments => {
  const { commands, parameters, vocabulary } = lexicon
  const { isKnown } = vocabulary
  const { limits } = parameters
  const walked = walkArguments(args, parameters, isKnown)
  const conventions = conventionsOfTool(tool, parameters)
  const leaves = withRoles(walked.values, conventions)
  const values = leaves.filter(({ path, value }) => value !== leftOutText || !leftOut.has(path))
  const containers = withRoles(walked.containers, conventions).map((leaf): RoledLeaf =>
    leaf.role === "code" && !isPlainText(leaf.value) ? { ...leaf, role: "filter" } : leaf
  )
  const classOf = makeClassOf(commands)
  const ownDomains = tool.people ?? domainsIn(values, senderKeys)
  const knowledge: ValueKnowledge = {
    vocabulary,
    pathClass: (path) => classOf(plainWord(path)),
    classes: parameters.classes,
    textMax: limits.textMax,
    ownDomains,
    isAmongColleagues: !values.some((leaf) => isStranger(leaf, ownDomains))
  }
  const { others, writes } = changesOfFiles(values, tool, knowledge, lexicon)
  const rules = matchRules([...others, ...containers], conventions, tool.own.join("_"), knowledge)
  const { reading, signalled, unread: unworded } = readWords(others, conventions, tool.class, lexicon)
  const { codes, unread: uncoded } = codesIn({ values, containers }, knowledge, parameters)
  const done = deedsIn(values, conventions, lexicon)
  // In a simulation, nothing that the other parameters say takes place.
  const isSimulated = rules.simulation !== undefined
  const claimed = claimedBy(claims, values, tool, knowledge, lexicon)
  const all = new Map([...claimed.signalled, ...signalled, ...rules.signals])
  const told = {
    ...figuresIn(values, containers, conventions),
    destination: destinationIn(values, ownDomains, limits.valueMax),
    codes,
    deeds: isSimulated ? [] : done.deeds
  }
  return {
    ...told,
    reading: isSimulated
      ? { ...mergeArguments([]), signals: [rules.simulation] }
      : { ...reading, signals: [...all.keys()] },
    writes,
    text: canonicalText(args, limits.textMax),
    labels: labelsIn(values, parameters),
    places: placesIn(values),
    claimedCodes: claimed.claimedCodes,
    signalled: all,
    counted: countedOf(new Map([...claimed.paths, ...rules.paths]), told)
      .slice(0, limits.wordedMax)
      .map(({ path, role }) => ({ path: path.slice(0, limits.valueMax), role })),
    unread: firstPaths(
      [...unreadOf(leftOut, leaves, tool.class), ...walked.unread, ...unworded, ...uncoded, ...done.unread],
      limits
    )
  }
}
