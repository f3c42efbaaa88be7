/** Prepares the knowledge of commands for look-ups: each form becomes a list of conditions, each act a record. */

import { dataClassifications } from "../../domain/Action.ts"
import { type CommandAct, type NamedAct, namedActs, wordsOf } from "../../scoring/reading/Act.ts"
import type {
  FormCondition,
  PreparedCommands,
  PreparedForm,
  PreparedPaths,
  PreparedProgram,
  PreparedReach,
  SqlDeed,
  SqlDeedPart
} from "../../scoring/reading/commands/Commands.ts"
import type { QueryDeed, QueryLanguage, QueryLanguages } from "../../scoring/reading/commands/queries.ts"
import { type FormData, parseAct } from "./actText.ts"
import type { CommandsData, QueryLanguageData } from "./commandFiles.ts"
import type { AlsoData, ProgramData, VariableData } from "./programFiles.ts"

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

const prepareAlso = (data: AlsoData): PreparedReach => ({
  only: wordsOf(data.only),
  runs: wordsOf(data.runs),
  runsRest: wordsOf(data.runsRest),
  runsBehind: (data.runsBehind ?? []).map(wordsOf),
  values: wordsOf(data.values),
  drops: wordsOf(data.drops),
  runsBeginnings: wordsOf(data.runsBeginnings),
  keys: wordsOf(data.keys),
  shellKeys: wordsOf(data.shellKeys),
  usual: wordsOf(data.usual),
  writes: wordsOf(data.writes),
  edits: wordsOf(data.edits),
  runsWords: (data.runsWords ?? []).map((words) => (words === "$" ? [] : wordsOf(words))),
  tasks: wordsOf(data.tasks),
  sends: wordsOf(data.sends),
  script: data.script,
  asksNames: data.asksNames ?? false,
  forms: (data.forms ?? []).map(prepareForm)
})

const prepareVariables = (data: ReadonlyArray<VariableData>): PreparedCommands["variables"] =>
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
}

/** An entry, under each of its names. */
const prepareProgram = (
  data: Omit<ProgramData, "names">,
  { keepers, switches }: Beside
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
  const also = (data.also ?? []).map((one) => ({
    names: one.names === undefined ? undefined : setOf(one.names),
    reach: prepareAlso(one)
  }))
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
    reaches: also.flatMap(({ names, reach }) => (names?.has(name) === false ? [] : [reach])),
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

const prepareSqlDeeds = (deeds: CommandsData["sqlDeeds"]): PreparedCommands["sqlDeeds"] => {
  const byFirst = new Map<string, Array<SqlDeed>>()
  for (const [first, words, act] of deeds) {
    const parts = words.split(" & ").map((part): SqlDeedPart => (part === "*" ? "every row" : wordsOf(part)))
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

const prepareLanguage = (data: QueryLanguageData): QueryLanguage => {
  const deeds = data.deeds.map(([phrase, act, bounded]): QueryDeed => ({
    words: wordsOf(phrase),
    act: parseAct(act),
    bounded: parseAct(bounded ?? act)
  }))
  return {
    begins: data.begins === undefined ? undefined : setOf(data.begins),
    bounds: setOf(data.bounds ?? ""),
    reads: setOf(data.reads ?? ""),
    read: parseAct("query.read read list"),
    deeds: Map.groupBy(deeds, ({ words }) => words[0] ?? ""),
    program: data.program,
    statements: data.statements === true
  }
}

const prepareQueries = ({
  queryKeys,
  queryLanguages
}: Pick<CommandsData, "queryKeys" | "queryLanguages">): QueryLanguages => {
  const byWord = new Map<string, ReadonlyArray<QueryLanguage>>()
  const shaped: Array<QueryLanguage> = []
  for (const data of queryLanguages) {
    const language = prepareLanguage(data)
    for (const word of wordsOf(data.tools)) byWord.set(word, [...(byWord.get(word) ?? []), language])
    if (data.shaped === true) shaped.push(language)
  }
  const statedIn = new RegExp(`"(?:${[...byWord.keys()].join("|")})"\\s*:`, "i")
  return { byWord, shaped, keys: setOf(queryKeys), statedIn }
}

/** The entries under each of their names. */
const byName = (data: ReadonlyArray<ProgramData>, beside: Beside): ReadonlyMap<string, PreparedProgram> =>
  new Map(
    data.flatMap((program) => {
      const prepared = prepareProgram(program, beside)
      return wordsOf(program.names).map((name) => [name, prepared(name)] as const)
    })
  )

export const prepareCommands = (data: CommandsData): PreparedCommands => {
  const beside = { keepers: setOf(data.quoted.keepers), switches: setOf(data.switches) }
  const acts = Object.fromEntries(namedActs.map((name) => [name, parseAct(data.acts[name])]))
  return {
    limits: data.limits,
    queries: prepareQueries(data),
    mongoMethods: new Map(data.queryLanguages.flatMap(({ methods = {} }) => Object.entries(methods))),
    programs: byName(data.programs, beside),
    unlisted: prepareProgram({ flags: "word", forms: data.unlisted }, beside)("unlisted"),
    cmdlets: [...byName(data.cmdlets, beside)].map(([glob, program]) => ({
      glob,
      program: { ...program, name: "cmdlet" }
    })),
    devicePrograms: byName(data.devices, beside),
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
