/** The vocabulary of commands as JSON, as in rules/next/lexicon/commands.json, and the same prepared for look-ups. */

import {
  type DataClassification,
  dataClassifications,
  type Reversibility,
  reversibilities
} from "../../../domain/Action.ts"
import { type Act, type ActClass, actClasses, type ActExtent, extents, type Impact, impacts } from "../Act.ts"

/**
 * One form of a program and what it does: `["push --force|-f ~main|master", "branch.force_push write high anywhere"]`.
 * The first form that fits decides, so the most specific form comes first. The form is a list of words, all of which must fit:
 *
 * - `push`: the next operand is this word. `|` separates alternatives, `*` stands for any characters.
 * - `-f|--force`: one of these flags is given. `!-n|--dry-run`: none of them is given. `--acl=public*,*read`: its value fits.
 * - `~main|master`: one of the further operands fits. `!~x`: none does.
 * - `@secret|data`: one of the further operands is a path of this class. `@@disposable`: all are, and there is one.
 * - `<remote`, `>remote`: the first, the last of the further operands is of this class.
 * - `$`: there is no further operand.
 *
 * An act is `<object>.<verb> <class>` and then, in any order, impact, extent, what it holds, reversibility, and the words `anywhere`,
 * `credential`, `weakens` and `unread`. Impact is left out where it is low: internal, simulate and read.
 */
export type FormData = readonly [form: string, act: string]

/** How a program is treated beyond its forms: `invoke.ts`. */
export const programRoles = [
  "shell",
  "powershell",
  "interpreter",
  "eval",
  "fetch",
  "send",
  "decode",
  "print",
  "pass",
  "arguments",
  "source",
  "sql",
  "mongo",
  "schedule",
  "find"
] as const
export type ProgramRole = (typeof programRoles)[number]

export interface ProgramData {
  /** Names of the programs, separated by spaces. */
  readonly names: string
  /** Flags that take the next word as their value, where no form names the value. */
  readonly values?: string
  /** `word`: `-abc` is one flag, not three. `slash`: Windows, `/s` is a flag, and case means nothing. */
  readonly flags?: "word" | "slash"
  readonly role?: ProgramRole
  /** Runs another command: the words after `skip` operands, the same joined to one text, the words after `--`. For SQL: an operand is SQL. */
  readonly runs?: "rest" | "joined" | "dashes"
  readonly skip?: number
  /** The operands that must come first for `runs`: `exec`, `compose exec`. Without these, no operand must. */
  readonly runsFor?: ReadonlyArray<string>
  /** Flags whose value is a shell text that it runs. */
  readonly runsFlag?: string
  /** What it runs, it runs as the administrator. */
  readonly root?: boolean
  readonly forms: ReadonlyArray<FormData>
}

/** The acts that the readers name themselves. */
export const namedActs = [
  "unknownProgram",
  "unknownForm",
  "unreadText",
  "tooLong",
  "ownCode",
  "evalCode",
  "decodedCode",
  "remoteCode",
  "remoteCodeAsRoot",
  "reverseShell",
  "secretRead",
  "secretSent",
  "dataSent",
  "forkBomb",
  "scheduledRemoteCode",
  "httpRead",
  "httpWrite",
  "httpDelete",
  "httpLocal",
  "fileSent",
  "openBulkDelete",
  "sqlUnread",
  "sqlHarmless",
  "sqlRead",
  "sqlReadOne",
  "sqlReadMany",
  "sqlReadAll",
  "sqlCount",
  "sqlExplain",
  "sqlInsert",
  "sqlInsertMany",
  "sqlUpdateOne",
  "sqlUpdateMany",
  "sqlUpdateAll",
  "sqlUpdateAllVital",
  "sqlUpdateAccess",
  "sqlDeleteOne",
  "sqlDeleteMany",
  "sqlDeleteAll",
  "sqlDeleteAllVital",
  "sqlMerge",
  "sqlTruncate",
  "sqlDropContainer",
  "sqlDropTable",
  "sqlDropIndex",
  "sqlDropView",
  "sqlDropRoutine",
  "sqlDropProtection",
  "sqlDropTemporary",
  "sqlDropUser",
  "sqlDropColumn",
  "sqlRename",
  "sqlAlterTable",
  "sqlAlterSystem",
  "sqlAlterRoutine",
  "sqlCreate",
  "sqlCreateIndex",
  "sqlCreateIndexConcurrently",
  "sqlCreateTemporary",
  "sqlCreateRoutine",
  "sqlCreateUser",
  "sqlAlterUser",
  "sqlGrant",
  "sqlSuperuser",
  "sqlRevoke",
  "sqlWeakens",
  "sqlCopyIn",
  "sqlCopyOut",
  "sqlRunsProgram",
  "sqlReadsFile",
  "sqlWritesFile",
  "sqlSleep",
  "sqlMaintain",
  "sqlMaintainLocking",
  "sqlTerminate",
  "sqlBackup",
  "sqlRestore",
  "mongoRead",
  "mongoWriteOne",
  "mongoWriteMany",
  "mongoDeleteOne",
  "mongoDeleteMany",
  "mongoDeleteAll",
  "mongoDrop",
  "mongoDropDatabase",
  "mongoIndex",
  "mongoUser",
  "mongoShutdown"
] as const
export type NamedAct = (typeof namedActs)[number]

export interface CommandsData {
  readonly limits: {
    /** UTF-16 units; a longer text is not read. */
    readonly textMax: number
    /** UTF-16 units that are parsed for one text, texts inside of it counted again. */
    readonly parsedMax: number
    /** UTF-16 units of a program that may do nothing but print. */
    readonly printMax: number
    readonly commandsMax: number
    readonly nestingMax: number
    readonly actsMax: number
    /** Openings of substitutions and here-documents in one text. */
    readonly openingsMax: number
    readonly sqlTokensMax: number
    /** Paths that are looked up in one text; a further one counts as unknown. */
    readonly pathsMax: number
    /** A LIMIT up to this is a look at a sample. */
    readonly sampleMax: number
    /** Fewer function words of English than this are no prose. */
    readonly proseMin: number
  }
  readonly programs: ReadonlyArray<ProgramData>
  /** Classes of paths with their patterns; the first class that fits decides. A pattern without `/` may fit any segment, `=x` only `x`. */
  readonly paths: ReadonlyArray<readonly [pathClass: string, patterns: string]>
  readonly acts: { readonly [name in NamedAct]: string }
  /** Words of a table's or column's name that say what it holds. */
  readonly holds: { readonly [holds in DataClassification]?: string }
  /** The impact of a SELECT by what it reads: of one row, of a list, of many rows, of all. Absent: low. */
  readonly sqlReadImpacts: {
    readonly [holds in DataClassification]?: readonly [one: Impact, list: Impact, bulk: Impact, all: Impact]
  }
  /** Functions that do more than compute; the name may end in `*`. */
  readonly sqlFunctions: ReadonlyArray<readonly [names: string, act: NamedAct]>
  /** Roles and privileges that give everything. */
  readonly superRoles: string
  /** Words of tables that can be made again. */
  readonly temporaryTables: string
  /** Words of tables whose loss stops the business. */
  readonly vitalTables: string
  /** Words of tables that hold rights. */
  readonly accessTables: string
  /** Hosts that are this machine. */
  readonly localHosts: string
  /** Words that prose has and commands lack. */
  readonly functionWords: string
}

export interface CommandAct extends Act {
  readonly unread: boolean
}

/** What one word of a form asks. */
export type Condition =
  | { readonly kind: "path"; readonly globs: ReadonlyArray<string> }
  | {
      readonly kind: "flag"
      readonly flags: ReadonlyArray<string>
      readonly values: ReadonlyArray<string>
      readonly not: boolean
    }
  | { readonly kind: "operand"; readonly globs: ReadonlyArray<string>; readonly not: boolean }
  | {
      readonly kind: "class"
      readonly classes: ReadonlyArray<string>
      readonly which: "some" | "all" | "first" | "last"
    }
  | { readonly kind: "end" }

export interface PreparedForm {
  readonly conditions: ReadonlyArray<Condition>
  /** How many operands the words of the form take. */
  readonly pathLength: number
  readonly act: CommandAct
}

export interface PreparedProgram {
  readonly name: string
  readonly values: ReadonlySet<string>
  readonly flags: "cluster" | "word" | "slash"
  readonly role: ProgramRole | undefined
  readonly runs: ProgramData["runs"]
  readonly skip: number
  readonly runsFor: ReadonlyArray<ReadonlyArray<string>>
  readonly runsFlags: ReadonlyArray<string>
  readonly root: boolean
  readonly forms: ReadonlyArray<PreparedForm>
}

export interface PreparedCommands {
  readonly limits: CommandsData["limits"]
  readonly programs: ReadonlyMap<string, PreparedProgram>
  readonly paths: ReadonlyArray<readonly [pathClass: string, patterns: ReadonlyArray<string>]>
  readonly acts: { readonly [name in NamedAct]: CommandAct }
  readonly holds: ReadonlyMap<string, DataClassification>
  readonly sqlReadImpacts: CommandsData["sqlReadImpacts"]
  readonly sqlFunctions: ReadonlyArray<readonly [names: ReadonlyArray<string>, act: NamedAct]>
  readonly superRoles: ReadonlyArray<string>
  readonly temporaryTables: ReadonlySet<string>
  readonly vitalTables: ReadonlySet<string>
  readonly accessTables: ReadonlySet<string>
  readonly localHosts: ReadonlyArray<string>
  readonly functionWords: ReadonlySet<string>
}

const wordsOf = (text: string): ReadonlyArray<string> => text.split(" ").filter((word) => word !== "")

const among = <A extends string>(list: ReadonlyArray<A>, word: string): word is A =>
  (list as ReadonlyArray<string>).includes(word)

const harmless: ReadonlyArray<ActClass> = ["internal", "simulate", "read"]

/** Throws on a word that is in none of the lists: the data is checked when a release is made, not when a command is read. */
export const parseAct = (text: string): CommandAct => {
  const [type = "", actClass = "", ...rest] = wordsOf(text)
  if (!type.includes(".") || !among(actClasses, actClass)) throw new Error(`No act: ${text}`)
  let impact: Impact | undefined = harmless.includes(actClass) ? "low" : undefined
  let extent: ActExtent = "single"
  let holds: DataClassification = "internal"
  let reversibility: Reversibility | undefined
  const marks = new Set<string>()
  for (const word of rest) {
    if (among(impacts, word)) impact = word
    else if (among(extents, word)) extent = word
    else if (among(dataClassifications, word)) holds = word
    else if (among(reversibilities, word)) reversibility = word
    else if (among(["anywhere", "credential", "weakens", "unread"], word)) marks.add(word)
    else throw new Error(`Unknown word ${word} in: ${text}`)
  }
  if (impact === undefined) throw new Error(`No impact: ${text}`)
  return {
    type,
    class: actClass,
    impact,
    extent,
    holds,
    anywhere: marks.has("anywhere"),
    credential: marks.has("credential"),
    weakens: marks.has("weakens"),
    unread: marks.has("unread"),
    ...(reversibility === undefined ? {} : { reversibility })
  }
}

const classWhich = { "@": "some", "@@": "all", "<": "first", ">": "last" } as const

const parseCondition = (word: string): Condition => {
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

const prepareForm = ([form, act]: FormData): PreparedForm => {
  const conditions = wordsOf(form).map(parseCondition)
  return {
    conditions,
    pathLength: conditions.filter(({ kind }) => kind === "path").length,
    act: parseAct(act)
  }
}

const prepareProgram = (data: ProgramData): ReadonlyArray<readonly [string, PreparedProgram]> => {
  const forms = data.forms.map(prepareForm)
  const values = new Set(wordsOf(data.values ?? ""))
  const runsFlags = wordsOf(data.runsFlag ?? "")
  for (const flag of runsFlags) values.add(flag)
  for (const { conditions } of forms)
    for (const condition of conditions)
      if (condition.kind === "flag" && condition.values.length > 0)
        for (const flag of condition.flags) values.add(flag)
  return wordsOf(data.names).map((name) => [
    name,
    {
      name,
      values,
      flags: data.flags ?? "cluster",
      role: data.role,
      runs: data.runs,
      skip: data.skip ?? 0,
      runsFor: (data.runsFor ?? []).map(wordsOf),
      runsFlags,
      root: data.root ?? false,
      forms
    }
  ])
}

/** Throws on data that makes no sense. */
export const prepareCommands = (data: CommandsData): PreparedCommands => {
  const programs = new Map<string, PreparedProgram>()
  for (const program of data.programs)
    for (const [name, prepared] of prepareProgram(program)) {
      if (programs.has(name)) throw new Error(`Two entries for the program ${name}`)
      programs.set(name, prepared)
    }
  const holds = new Map<string, DataClassification>()
  for (const classification of dataClassifications)
    for (const word of wordsOf(data.holds[classification] ?? "")) holds.set(word, classification)
  const acts = Object.fromEntries(namedActs.map((name) => [name, parseAct(data.acts[name])]))
  return {
    limits: data.limits,
    programs,
    paths: data.paths.map(([pathClass, patterns]) => [pathClass, wordsOf(patterns)]),
    acts: acts as { readonly [name in NamedAct]: CommandAct },
    holds,
    sqlReadImpacts: data.sqlReadImpacts,
    sqlFunctions: data.sqlFunctions.map(([names, act]) => [wordsOf(names), act]),
    superRoles: wordsOf(data.superRoles),
    temporaryTables: new Set(wordsOf(data.temporaryTables)),
    vitalTables: new Set(wordsOf(data.vitalTables)),
    accessTables: new Set(wordsOf(data.accessTables)),
    localHosts: wordsOf(data.localHosts),
    functionWords: new Set(wordsOf(data.functionWords))
  }
}
