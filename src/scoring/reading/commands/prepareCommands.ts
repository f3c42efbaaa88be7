/** Prepares the vocabulary of commands for look-ups: each form becomes a list of conditions, each act a record. */

import { type DataClassification, dataClassifications } from "../../../domain/Action.ts"
import {
  type CommandsData,
  type FormData,
  type ProgramData,
  type ProgramRole,
  type ReachData,
  type VariableData
} from "./commandsData.ts"
import { type CommandAct, type NamedAct, namedActs, parseAct, wordsOf } from "../Act.ts"

/** What one word of a form asks. */
export type FormCondition =
  | { readonly kind: "path"; readonly globs: ReadonlyArray<string> }
  | {
      readonly kind: "flag"
      readonly flags: ReadonlyArray<string>
      readonly values: ReadonlyArray<string>
      readonly not: boolean
      /** Flags that switch these off, in a form that simulates. Undefined: only a flag's own values do, all of them together. */
      readonly denials?: ReadonlyArray<string>
    }
  | { readonly kind: "operand"; readonly globs: ReadonlyArray<string>; readonly not: boolean }
  | {
      readonly kind: "class"
      readonly classes: ReadonlyArray<string>
      readonly which: "some" | "all" | "first" | "last"
    }
  | { readonly kind: "end" }

export interface PreparedForm {
  readonly conditions: ReadonlyArray<FormCondition>
  /** How many operands the words of the form take. */
  readonly pathLength: number
  readonly act: CommandAct
}

export interface PreparedReach {
  readonly only: ReadonlyArray<string>
  readonly runs: ReadonlyArray<string>
  readonly runsRest: ReadonlyArray<string>
  readonly runsBehind: ReadonlyArray<ReadonlyArray<string>>
  readonly values: ReadonlyArray<string>
  readonly drops: ReadonlyArray<string>
  readonly runsBeginnings: ReadonlyArray<string>
  readonly keys: ReadonlyArray<string>
  readonly shellKeys: ReadonlyArray<string>
  readonly usual: ReadonlyArray<string>
  readonly writes: ReadonlyArray<string>
  readonly edits: ReadonlyArray<string>
  readonly runsWords: ReadonlyArray<ReadonlyArray<string>>
  readonly tasks: ReadonlyArray<string>
  readonly sends: ReadonlyArray<string>
  readonly script: ReachData["script"]
  readonly asksNames: boolean
  readonly forms: ReadonlyArray<PreparedForm>
}

interface PreparedVariable {
  readonly runs: boolean
  readonly usual: ReadonlyArray<string>
  readonly list: boolean
  readonly where: ReadonlyArray<string>
  readonly unless: ReadonlyArray<string>
}

export interface PreparedProgram {
  readonly name: string
  readonly values: ReadonlySet<string>
  /** Flags that take no value. */
  readonly switches: ReadonlySet<string>
  readonly flags: "cluster" | "word" | "slash"
  readonly role: ProgramRole | undefined
  readonly runs: ProgramData["runs"]
  readonly skip: number
  readonly runsFor: ReadonlyArray<ReadonlyArray<string>>
  readonly runsFlags: ReadonlyArray<string>
  readonly root: boolean
  readonly request: ProgramData["request"]
  readonly helpFirst: boolean
  readonly forms: ReadonlyArray<PreparedForm>
  readonly reaches: ReadonlyArray<PreparedReach>
  /** It does nothing else, and keeps and seeks no texts. */
  readonly onlyReads: boolean
}

/** The patterns of all classes. The place of a class is its rank: the smallest that fits decides. */
export interface PreparedPaths {
  readonly classes: ReadonlyArray<string>
  readonly exact: ReadonlyMap<string, number>
  readonly segments: ReadonlyMap<string, number>
  /** In the order of their classes. `whole`: fits the whole path, not one segment. */
  readonly globs: ReadonlyArray<{ readonly glob: string; readonly whole: boolean; readonly order: number }>
}

/** What words behind the first one of a statement do beside what that one says. */
interface SqlDeed {
  /** All of them hold. */
  readonly parts: ReadonlyArray<SqlDeedPart>
  readonly act: CommandAct
}

/** Words that follow each other, or that nothing bounds the rows. */
export type SqlDeedPart = ReadonlyArray<string> | "every row"

const everyRow = "*"

export interface PreparedCommands {
  readonly limits: CommandsData["limits"]
  readonly programs: ReadonlyMap<string, PreparedProgram>
  /** What the words behind a program without an entry say. */
  readonly unlisted: PreparedProgram
  /** By patterns of names: cmdlets, which begin with a verb. The first that fits decides. */
  readonly cmdlets: ReadonlyArray<{ readonly glob: string; readonly program: PreparedProgram }>
  /** The words of the CLIs of network devices. */
  readonly devicePrograms: ReadonlyMap<string, PreparedProgram>
  readonly paths: PreparedPaths
  readonly acts: { readonly [name in NamedAct]: CommandAct }
  readonly holds: ReadonlyMap<string, DataClassification>
  readonly sqlReadImpacts: CommandsData["sqlReadImpacts"]
  readonly sqlFunctions: ReadonlyArray<readonly [names: ReadonlyArray<string>, act: NamedAct]>
  /** By the first word of a statement. */
  readonly sqlDeeds: ReadonlyMap<string, ReadonlyArray<SqlDeed>>
  readonly sqlColumns: ReadonlyArray<readonly [names: ReadonlyArray<string>, act: CommandAct]>
  readonly superRoles: ReadonlyArray<string>
  readonly identifyingColumns: ReadonlySet<string>
  readonly shownColumns: ReadonlySet<string>
  readonly sqlFigures: ReadonlySet<string>
  readonly temporaryTables: ReadonlySet<string>
  readonly temporaryEndings: ReadonlySet<string>
  readonly shellEscapes: ReadonlyArray<string>
  readonly runsVariables: ReadonlySet<string>
  readonly variables: ReadonlyMap<string, PreparedVariable>
  readonly quotedBeginnings: ReadonlySet<string>
  readonly vitalTables: ReadonlySet<string>
  readonly accessTables: ReadonlySet<string>
  readonly localHosts: ReadonlyArray<string>
  readonly functionWords: ReadonlySet<string>
}

const setOf = (words: string): ReadonlySet<string> => new Set(wordsOf(words))

const classWhich = { "@": "some", "@@": "all", "<": "first", ">": "last" } as const

const parseCondition = (word: string): FormCondition => {
  if (word === "$") return { kind: "end" }
  const classed = /^(@@?|<|>)(.+)$/.exec(word)
  if (classed !== null) {
    const which = classWhich[classed[1] as keyof typeof classWhich]
    return { kind: "class", classes: (classed[2] ?? "").split("|"), which }
  }
  const not = word.startsWith("!") && word.length > 1
  const bare = not ? word.slice(1) : word
  if (bare.startsWith("~")) return { kind: "operand", globs: bare.slice(1).split("|"), not }
  if (!/^[-/]./.test(bare)) return { kind: "path", globs: word.split("|") }
  const equals = bare.indexOf("=")
  const flags = (equals === -1 ? bare : bare.slice(0, equals)).split("|")
  return { kind: "flag", flags, values: equals === -1 ? [] : bare.slice(equals + 1).split(","), not }
}

/** A simulation ends where its flag is denied too: `--dry-run --no-dry-run`, `--dry-run=client --dry-run=none`. */
const deniable = (condition: FormCondition): FormCondition =>
  condition.kind === "flag" && !condition.not
    ? { ...condition, denials: condition.flags.map((flag) => flag.replace(/^-+/, "--no-")) }
    : condition

const prepareForm = ([form, text]: FormData): PreparedForm => {
  const act = parseAct(text)
  const conditions = wordsOf(form).map(parseCondition)
  return {
    conditions: act.class === "simulate" ? conditions.map(deniable) : conditions,
    pathLength: conditions.filter(({ kind }) => kind === "path").length,
    act
  }
}

/** By the names of their programs. */
const prepareReaches = (
  data: ReadonlyArray<ReachData>
): ReadonlyMap<string, ReadonlyArray<PreparedReach>> => {
  const byName = new Map<string, Array<PreparedReach>>()
  for (const reach of data) {
    const prepared = {
      only: wordsOf(reach.only),
      runs: wordsOf(reach.runs),
      runsRest: wordsOf(reach.runsRest),
      runsBehind: (reach.runsBehind ?? []).map((words) => wordsOf(words)),
      values: wordsOf(reach.values),
      drops: wordsOf(reach.drops),
      runsBeginnings: wordsOf(reach.runsBeginnings),
      keys: wordsOf(reach.keys),
      shellKeys: wordsOf(reach.shellKeys),
      usual: wordsOf(reach.usual),
      writes: wordsOf(reach.writes),
      edits: wordsOf(reach.edits),
      runsWords: (reach.runsWords ?? []).map((words) => (words === "$" ? [] : wordsOf(words))),
      tasks: wordsOf(reach.tasks),
      sends: wordsOf(reach.sends),
      script: reach.script,
      asksNames: reach.asksNames ?? false,
      forms: (reach.forms ?? []).map(prepareForm)
    }
    for (const name of wordsOf(reach.names)) byName.set(name, [...(byName.get(name) ?? []), prepared])
  }
  return byName
}

const prepareVariables = (data: ReadonlyArray<VariableData>): ReadonlyMap<string, PreparedVariable> =>
  new Map(
    data.flatMap(({ list, names, runs, unless, usual, where }) =>
      wordsOf(names).map((name) => [
        name,
        {
          runs: runs ?? false,
          usual: wordsOf(usual),
          list: list ?? false,
          where: wordsOf(where),
          unless: wordsOf(unless)
        }
      ])
    )
  )

/** What the data says of programs in other places. */
interface Beside {
  readonly keepers: ReadonlySet<string>
  readonly switches: ReadonlySet<string>
  readonly reaches: ReadonlyMap<string, ReadonlyArray<PreparedReach>>
}

/** An entry, under each of its names. */
const prepareProgram = (
  data: Omit<ProgramData, "names">,
  { keepers, reaches, switches }: Beside
): ((name: string) => PreparedProgram) => {
  const forms = data.forms.map(prepareForm)
  const values = new Set(wordsOf(data.values ?? ""))
  const runsFlags = wordsOf(data.runsFlag ?? "")
  for (const flag of runsFlags) values.add(flag)
  for (const flag of wordsOf(`${data.request?.url ?? ""} ${data.request?.body ?? ""}`)) values.add(flag)
  const named = new Set(switches)
  for (const { conditions } of forms)
    for (const condition of conditions)
      if (condition.kind === "flag")
        for (const flag of condition.flags) (condition.values.length > 0 ? values : named).add(flag)
  return (name) => ({
    name,
    values,
    switches: named,
    flags: data.flags ?? "cluster",
    role: data.role,
    runs: data.runs,
    skip: data.skip ?? 0,
    runsFor: (data.runsFor ?? []).map(wordsOf),
    runsFlags,
    root: data.root ?? false,
    request: data.request,
    helpFirst: data.helpFirst ?? false,
    forms,
    reaches: reaches.get(name) ?? [],
    onlyReads:
      !keepers.has(name) &&
      data.runs === undefined &&
      (data.role === undefined || data.role === "pass") &&
      forms.every(({ act }) => act.class === "read")
  })
}

const preparePaths = (paths: CommandsData["paths"]): PreparedPaths => {
  const exact = new Map<string, number>()
  const segments = new Map<string, number>()
  const globs: Array<PreparedPaths["globs"][number]> = []
  const keep = (map: Map<string, number>, key: string, order: number) => map.set(key, map.get(key) ?? order)
  paths.forEach(([, patterns], order) => {
    for (const pattern of wordsOf(patterns)) {
      const whole = pattern.includes("/")
      if (pattern.startsWith("=")) keep(exact, pattern.slice(1), order)
      else if (pattern.includes("*")) globs.push({ glob: pattern, whole, order })
      else keep(whole ? exact : segments, pattern, order)
    }
  })
  return { classes: paths.map(([pathClass]) => pathClass), exact, segments, globs }
}

/** Throws on data that makes no sense. */
const prepareSqlDeeds = (deeds: CommandsData["sqlDeeds"]): PreparedCommands["sqlDeeds"] => {
  const byFirst = new Map<string, Array<SqlDeed>>()
  for (const [first, words, act] of deeds) {
    const parts = words
      .split(" & ")
      .map((part): SqlDeedPart => (part === everyRow ? "every row" : wordsOf(part)))
    const deed = { parts, act: parseAct(act) }
    byFirst.set(first, [...(byFirst.get(first) ?? []), deed])
  }
  return byFirst
}

const prepareHolds = (holds: CommandsData["holds"]): PreparedCommands["holds"] =>
  new Map(
    dataClassifications.flatMap((classification) =>
      wordsOf(holds[classification] ?? "").map((word) => [word, classification] as const)
    )
  )

export const prepareCommands = (data: CommandsData): PreparedCommands => {
  const programs = new Map<string, PreparedProgram>()
  const devicePrograms = new Map<string, PreparedProgram>()
  const cmdlets: Array<PreparedCommands["cmdlets"][number]> = []
  const reaches = prepareReaches(data.reaches)
  const beside = { keepers: setOf(data.quoted.keepers), switches: setOf(data.switches), reaches }
  for (const program of data.programs) {
    const known = program.device === true ? devicePrograms : programs
    const prepared = prepareProgram(program, beside)
    for (const name of wordsOf(program.names)) {
      if (known.has(name)) throw new Error(`Two entries for the program ${name}`)
      if (name.includes("*")) cmdlets.push({ glob: name, program: { ...prepared(name), name: "cmdlet" } })
      else known.set(name, prepared(name))
    }
  }
  for (const program of [...data.tools.programs.map(([, named]) => named), ...reaches.keys()])
    if (!programs.has(program)) throw new Error(`No entry for the program ${program}`)
  const acts = Object.fromEntries(namedActs.map((name) => [name, parseAct(data.acts[name])]))
  return {
    limits: data.limits,
    programs,
    unlisted: prepareProgram({ flags: "word", forms: data.unlisted }, beside)("unlisted"),
    cmdlets,
    devicePrograms,
    paths: preparePaths(data.paths),
    acts: acts as { readonly [name in NamedAct]: CommandAct },
    holds: prepareHolds(data.holds),
    sqlReadImpacts: data.sqlReadImpacts,
    sqlFunctions: data.sqlFunctions.map(([names, act]) => [wordsOf(names), act]),
    sqlDeeds: prepareSqlDeeds(data.sqlDeeds),
    sqlColumns: data.sqlColumns.map(([names, act]) => [wordsOf(names), parseAct(act)]),
    superRoles: wordsOf(data.superRoles),
    identifyingColumns: setOf(data.identifyingColumns),
    shownColumns: setOf(data.shownColumns),
    sqlFigures: setOf(data.sqlFigures),
    temporaryTables: setOf(data.temporaryTables),
    temporaryEndings: setOf(data.temporaryEndings),
    shellEscapes: wordsOf(data.shellEscapes),
    runsVariables: setOf(data.runsVariables),
    variables: prepareVariables(data.variables),
    quotedBeginnings: setOf(data.quoted.beginnings),
    vitalTables: setOf(data.vitalTables),
    accessTables: setOf(data.accessTables),
    localHosts: wordsOf(data.localHosts),
    functionWords: setOf(data.functionWords)
  }
}
