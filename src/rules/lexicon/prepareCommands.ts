/** Prepares command knowledge for look-up: each form becomes a list of conditions, each act a record. */

import { Record as Records } from "effect"
import { dataClassifications } from "../../domain/Action.ts"
import type {
  PlacedGlob,
  PreparedCommands,
  PreparedForm,
  PreparedPaths,
  PreparedProgram,
  PreparedReach,
  QueryDeed,
  QueryLanguage,
  QueryLanguages,
  SqlDeed,
  SqlDeedPart
} from "../../scoring/reading/commands/Commands.ts"
import type { CommandTools } from "../../scoring/reading/commands/commandTools.ts"
import { globsByEdge } from "../../scoring/reading/commands/paths.ts"
import { keyOf } from "../../scoring/names/splitName.ts"
import {
  type FormsOf,
  madeFrom,
  parseAct,
  prepareForm,
  prepareForms,
  setsAt,
  wordsAt,
  wordsOf
} from "./actText.ts"
import type { CommandsData, QueryLanguageData } from "./commandFiles.ts"
import { prepareInterpreters } from "./interpreterFiles.ts"
import { type AlsoData, prepareApis, type ProgramData, type VariableData } from "./programFiles.ts"

const setOf = (words: string): ReadonlySet<string> => new Set(wordsOf(words))

const prepareAlso = (data: AlsoData, formsOf: FormsOf): PreparedReach => ({
  ...wordsAt(data, "only", "runs", "runsRest", "values", "drops", "runsBeginnings", "keys", "shellKeys"),
  ...wordsAt(data, "usual", "writes", "edits", "tasks", "sends"),
  runsBehind: (data.runsBehind ?? []).map(wordsOf),
  runsWords: (data.runsWords ?? []).map((words) => (words === "$" ? [] : wordsOf(words))),
  script: data.script,
  asksNames: data.asksNames ?? false,
  runsEach: data.runsEach ?? false,
  lists: data.lists === undefined ? undefined : wordsOf(data.lists),
  filters: data.filters ?? false,
  printsNames: data.printsNames,
  forms: prepareForms(data.forms ?? [], formsOf)
})

const prepareVariables = (data: ReadonlyArray<VariableData>): PreparedCommands["variables"] =>
  new Map(
    data.flatMap(({ guards = false, list = false, names, runs = false, ...lists }) => {
      const variable = { runs, guards, list, ...wordsAt(lists, "usual", "where", "unless") }
      return wordsOf(names).map((name) => [name, variable] as const)
    })
  )

/** Facts about programs that other files state. */
interface Beside {
  readonly keepers: ReadonlySet<string>
  readonly switches: ReadonlySet<string>
  readonly formsOf: FormsOf
}

const prepareLanding = (name: string, lands: ProgramData["lands"]): PreparedProgram["lands"] =>
  lands && {
    ...wordsAt(lands, "flags", "switches", "variables"),
    always: lands.always === true && !wordsOf(lands.local).includes(name),
    calls: (lands.calls ?? []).flatMap(([names, path]) =>
      wordsOf(names).includes(name) ? [wordsOf(path)] : []
    ),
    operands: lands.operands,
    behind: (lands.behind ?? []).map(wordsOf)
  }

const prepareChoices = ({ chooses = [] }: Pick<ProgramData, "chooses">): PreparedProgram["chooses"] =>
  chooses.map(([path, as, place]) => ({ path: wordsOf(path), as: wordsOf(as), place }))

const prepareRuns = (data: Omit<ProgramData, "names">) => ({
  runs: data.runs,
  skip: data.skip ?? 0,
  runsFor: (data.runsFor ?? []).map(wordsOf),
  runsFlags: wordsOf(data.runsFlag),
  runsFlagForms: (data.runsFlagIf ?? []).map((form) => prepareForm([form, "command.run execute low"]))
})

const outputOf = (
  reaches: ReadonlyArray<PreparedReach>
): Pick<PreparedProgram, "filters" | "lists" | "printsNames"> => ({
  lists: reaches.find(({ lists }) => lists !== undefined)?.lists,
  filters: reaches.some(({ filters }) => filters),
  printsNames: reaches.find(({ printsNames }) => printsNames !== undefined)?.printsNames
})

/** Prepares an entry for each of its names. */
const prepareProgram = (
  data: Omit<ProgramData, "names">,
  { formsOf, keepers, switches }: Beside
): ((name: string) => PreparedProgram) => {
  const forms = prepareForms(data.forms, formsOf)
  const values = new Set(wordsOf(data.values ?? ""))
  const runs = prepareRuns(data)
  for (const flag of runs.runsFlags) values.add(flag)
  for (const flag of wordsOf(data.lands?.flags)) values.add(flag)
  for (const flag of wordsOf(`${data.request?.url ?? ""} ${data.request?.body ?? ""}`)) values.add(flag)
  const named = new Set([...switches, ...wordsOf(data.switches), ...wordsOf(data.lands?.switches)])
  for (const { conditions } of [...forms, ...runs.runsFlagForms])
    for (const condition of conditions)
      if (condition.kind === "flag")
        for (const flag of condition.flags) (condition.values.length > 0 ? values : named).add(flag)
  const also = (data.also ?? []).map((one) => ({
    names: one.names === undefined ? undefined : setOf(one.names),
    reach: prepareAlso(one, formsOf)
  }))
  return (name) => {
    const reaches = also.flatMap(({ names, reach }) => (names?.has(name) === false ? [] : [reach]))
    // The flag of one subcommand may mean something else in another: `git rebase -x`, `git clean -x`.
    const taking = reaches.flatMap(({ only, runs, sends, writes }) =>
      only.length > 0 ? [] : [...runs, ...sends, ...writes].map((flag) => flag.split("=", 1)[0] ?? "")
    )
    const valued = new Set([...values, ...taking.filter((flag) => flag.startsWith("-"))])
    const edits = reaches.flatMap((reach) => reach.edits)
    return {
      name,
      lands: prepareLanding(name, data.lands),
      chooses: prepareChoices(data),
      values: valued,
      switches: named,
      longFlags: [...new Set([...valued, ...named, ...edits])].filter((flag) => flag.startsWith("--")),
      slashAs: data.slashAs,
      idleFlags: wordsOf(data.idle),
      enters: data.enters ?? false,
      refs: data.refs ?? false,
      stores: data.stores ?? false,
      moves: data.moves ?? false,
      decodes: data.decodes,
      flags: data.flags ?? "cluster",
      role: data.role,
      queries: data.queries,
      ...runs,
      root: data.root ?? false,
      request: data.request,
      helpFirst: data.helpFirst ?? false,
      forms,
      reaches,
      ...outputOf(reaches),
      onlyReads:
        !keepers.has(name) &&
        data.runs === undefined &&
        (data.role === undefined || data.role === "pass") &&
        forms.every(({ act }) => act.class === "read")
    }
  }
}

const preparePaths = (paths: CommandsData["paths"]): PreparedPaths => {
  const exact = new Map<string, number>()
  const segments = new Map<string, number>()
  const pathGlobs: Array<PlacedGlob> = []
  const segmentGlobs: Array<PlacedGlob> = []
  const keep = (map: Map<string, number>, key: string, order: number) => map.set(key, map.get(key) ?? order)
  paths.forEach(([, patterns], order) => {
    for (const pattern of wordsOf(patterns)) {
      const whole = pattern.includes("/")
      if (pattern.startsWith("=")) keep(exact, pattern.slice(1), order)
      else if (pattern.includes("*")) (whole ? pathGlobs : segmentGlobs).push({ glob: pattern, order })
      else keep(whole ? exact : segments, pattern, order)
    }
  })
  return {
    classes: paths.map(([pathClass]) => pathClass),
    exact,
    segments,
    pathGlobs: globsByEdge(pathGlobs),
    segmentGlobs: globsByEdge(segmentGlobs)
  }
}

const prepareSqlDeeds = (deeds: CommandsData["sqlDeeds"]): PreparedCommands["sqlDeeds"] => {
  const byFirst = new Map<string, Array<SqlDeed>>()
  for (const data of deeds) {
    const [first, words, act] = data
    const parts = words.split(" & ").map((part): SqlDeedPart => (part === "*" ? "every row" : wordsOf(part)))
    const deed = madeFrom<SqlDeed>(data, ["act"], { parts, act: parseAct(act) })
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
  const deeds = data.deeds.map((deed): QueryDeed => {
    const [phrase, act, bounded] = deed
    const prepared = { words: wordsOf(phrase), act: parseAct(act), bounded: parseAct(bounded ?? act) }
    return madeFrom<QueryDeed>(deed, ["act", "bounded"], prepared)
  })
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

/** The entries, keyed by each of their names. */
const byName = (data: ReadonlyArray<ProgramData>, beside: Beside): ReadonlyMap<string, PreparedProgram> =>
  new Map(
    data.flatMap((program) => {
      const prepared = prepareProgram(program, beside)
      return wordsOf(program.names).map((name) => [name, prepared(name)] as const)
    })
  )

export const prepareCommands = (data: CommandsData): PreparedCommands => {
  const ofPrograms = new Map(
    data.programs.flatMap(({ forms, names }) => wordsOf(names).map((name) => [name, forms] as const))
  )
  const beside = {
    keepers: setOf(data.quoted.keepers),
    switches: setOf(data.switches),
    formsOf: (program: string) => ofPrograms.get(program) ?? []
  }
  return {
    ...setsAt(
      data,
      "identifyingColumns",
      "shownColumns",
      "sqlFigures",
      "rehearsals",
      "cmdletAliases",
      "methods",
      "temporaryTables",
      "temporaryEndings"
    ),
    ...setsAt(data, "runsVariables", "vitalTables", "accessTables", "kept", "obeyed", "versioned", "stores"),
    ...setsAt(data, "scriptEndings", "functionWords", "nameWords"),
    ...wordsAt(data, "superRoles", "shellEscapes", "placelessActs"),
    limits: data.limits,
    placeVariables: setsAt(data.placeVariables, "shell", "powershell"),
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
    acts: Records.map(data.acts, parseAct),
    holds: prepareHolds(data.holds),
    sqlReadImpacts: data.sqlReadImpacts,
    sqlFunctions: data.sqlFunctions.map(([names, act]) => [wordsOf(names), act]),
    sqlDeeds: prepareSqlDeeds(data.sqlDeeds),
    sqlColumns: data.sqlColumns.map(([names, act]) => [wordsOf(names), parseAct(act)]),
    variables: prepareVariables(data.variables),
    quotedBeginnings: setOf(data.quoted.beginnings),
    sql: Records.map(data.sql, setOf),
    landings: {
      ...setsAt(data.landings, "local", "developmentWords", "publicEndings"),
      development: wordsOf(data.landings.development)
    },
    requests: {
      ...wordsAt(data.requests, "methods", "bodies", "files", "outputs", "asks"),
      verbs: data.requests.verbs
    },
    nearby: wordsOf(data.nearby).map((ending) => `.${ending}`),
    apis: prepareApis(data.apis),
    interpreters: prepareInterpreters(data.interpreters),
    setUps: data.setUps,
    codeWords: wordsAt(data.code, "runs", "removes", "flags")
  }
}

const firstWordsOf = (forms: ReadonlyArray<PreparedForm>): ReadonlyArray<string> =>
  forms.flatMap(({ conditions }) => {
    const first = conditions.find(({ kind }) => kind === "path")
    return first?.kind === "path" ? first.globs.filter((glob) => glob !== "*") : []
  })

/** Only programs whose arguments choose what they do. Names such as `date` and `file` are used for many other things. */
export const prepareCommandTools = (
  { tools }: CommandsData,
  { acts, devicePrograms, programs }: PreparedCommands
): CommandTools => {
  const byKey = new Map<string, string>()
  const firstWords = new Map<string, ReadonlyArray<string>>()
  for (const [name, { forms, role }] of programs) {
    const chooses = forms.length > 1 || role === "sql" || role === "mongo"
    if (!chooses || !/^[a-z]/i.test(name)) continue
    byKey.set(keyOf(name), name)
    if (role !== "sql" && role !== "mongo") firstWords.set(name, firstWordsOf(forms))
  }
  for (const [aliases, program] of tools.programs)
    for (const alias of wordsOf(aliases)) byKey.set(alias, program)
  return {
    ...setsAt(tools, "sqlBeginnings", "carriers", "shell", "fillers"),
    sqlWords: {
      whole: setOf(tools.sql),
      globs: wordsOf(tools.sql).filter((pattern) => pattern.includes("*"))
    },
    resourceCut: tools.resourceCut,
    commandMax: tools.commandMax,
    databases: wordsOf(tools.databases),
    tooLong: acts.tooLong,
    parameters: {
      ...setsAt(tools.parameters, "command", "arguments", "beside", "besideOfDevice"),
      deviceCommands: devicePrograms
    },
    textTools: {
      ...setsAt(tools.textTools, "brands", "names"),
      acts: tools.textTools.acts.map(([verbs, objects]) => [setOf(verbs), setOf(objects)])
    },
    device: {
      sequences: tools.device.map((sequence) => ` ${sequence} `),
      firstWords: new Set(tools.device.map((sequence) => sequence.split(" ", 1)[0] ?? ""))
    },
    programs: byKey,
    firstWords,
    files: {
      ...setsAt(tools.files, "providers", "fillers"),
      keys: wordsOf(tools.files.keys),
      programs: tools.files.programs.map(([program, verbs, objects]) => ({
        program,
        verbs: setOf(verbs),
        objects: setOf(objects)
      }))
    }
  }
}
