/** The knowledge of commands as the readers look it up. `rules/lexicon` makes it from the files of a release. */

import type { DataClassification } from "../../../domain/Action.ts"
import type { Impact } from "../Act.ts"
import type { PreparedInterpreter } from "./code/Interpreters.ts"
import type { SqlWords } from "./sql/sqlWords.ts"
import type { CommandAct, NamedAct } from "./CommandReading.ts"

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
  "query",
  "schedule",
  "find",
  "alias",
  "lines",
  "patch",
  "transfer"
] as const
export type ProgramRole = (typeof programRoles)[number]

/** Bounds of one text, so that the time to read it has a limit however it is written. Texts are counted in UTF-16 units. */
export interface CommandLimits {
  /** A longer text is not read. */
  readonly textMax: number
  /** The most text that is parsed for one text, including texts inside of it. */
  readonly parsedMax: number
  /** Longer code of another language is not read. */
  readonly codeMax: number
  /** The most parser steps for all code in one text. */
  readonly codeStepsMax: number
  readonly codeNestingMax: number
  /** Commands and constructs of a shell, such as loops and pipelines, that are read in one text. */
  readonly commandsMax: number
  /** How deep they may be inside each other. */
  readonly nestingMax: number
  readonly actsMax: number
  /** Openings of substitutions and here-documents in one text. */
  readonly openingsMax: number
  /** Marks between commands in one text. */
  readonly separatorsMax: number
  readonly sqlTokensMax: number
  readonly pathLengthMax: number
  /** Words and redirections of one command; those in the middle of a longer one are not read. */
  readonly wordsMax: number
  /** Paths that are looked up in one text; a further one counts as unknown. */
  readonly pathsMax: number
  /** A LIMIT up to this is a look at a sample. */
  readonly sampleMax: number
  /** Fewer function words of English than this are no prose. */
  readonly proseMin: number
}

/** Where the arguments of a program other than `curl` state an HTTP request. */
interface RequestPlaces {
  /** The first operand: `api` of `gh api`. Undefined: any. */
  readonly for?: string | undefined
  /** Flags whose value is the address. Undefined: the address is the next operand. */
  readonly url?: string | undefined
  /** The prefix of an address without a host. */
  readonly base?: string | undefined
  /** Flags whose value is sent, in addition to those of `curl`. */
  readonly body?: string | undefined
}

/** The condition that one word of a form states. */
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
  /** As the file of the program writes it: `push --force|-f`. */
  readonly words: string
  /** The program in whose file it is, where another one hands its calls on to it. */
  readonly of?: string | undefined
  readonly conditions: ReadonlyArray<FormCondition>
  /** How many operands the words of the form take. */
  readonly pathLength: number
  readonly act: CommandAct
}

export interface PreparedReach {
  readonly only: ReadonlyArray<string>
  readonly runs: ReadonlyArray<string>
  readonly runsRest: ReadonlyArray<string>
  readonly runsEach: boolean
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
  readonly script: "sed" | "awk" | undefined
  readonly asksNames: boolean
  readonly lists: ReadonlyArray<string> | undefined
  readonly filters: boolean
  readonly printsNames: string | undefined
  readonly forms: ReadonlyArray<PreparedForm>
}

interface PreparedVariable {
  readonly runs: boolean
  /** Any value changes a guard of the agent. */
  readonly guards: boolean
  readonly usual: ReadonlyArray<string>
  readonly list: boolean
  readonly where: ReadonlyArray<string>
  readonly unless: ReadonlyArray<string>
}

/** How a call of a program names the other machine or service that it acts on. */
export interface PreparedLanding {
  /** It does so in every call: `terraform`. Otherwise only where the call names a place: `psql -h db`. */
  readonly always: boolean
  /** Words with which it does so: `db push`. */
  readonly calls: ReadonlyArray<ReadonlyArray<string>>
  /** Flags whose value names the place: `--context`. */
  readonly flags: ReadonlyArray<string>
  /** Flags without a value that mean another place: `--linked`. */
  readonly switches: ReadonlyArray<string>
  /** Variables of the environment that name it: `AWS_PROFILE`. */
  readonly variables: ReadonlyArray<string>
  /** The operands that name it: the first, all of them, or those that are addresses, such as URLs and `host:path`. */
  readonly operands: "first" | "all" | "addresses" | undefined
  /** Words behind which all operands name it: `delete namespace`. */
  readonly behind: ReadonlyArray<ReadonlyArray<string>>
}

/** Words with which a program chooses the place of the next commands: `config use-context`. */
export interface PreparedChoice {
  readonly path: ReadonlyArray<string>
  /** The flags and variables that would name it: `--context`. */
  readonly as: ReadonlyArray<string>
  /** Undefined: the next operand names the place. */
  readonly place: string | undefined
}

export interface PreparedProgram {
  readonly name: string
  /** Undefined: it acts on this machine. */
  readonly lands: PreparedLanding | undefined
  readonly chooses: ReadonlyArray<PreparedChoice>
  readonly values: ReadonlySet<string>
  /** Flags that take no value. */
  readonly switches: ReadonlySet<string>
  /** All flags that begin with two hyphens, so that a shortened one is known. */
  readonly longFlags: ReadonlyArray<string>
  readonly flags: "cluster" | "word" | "slash"
  /** The program that it is where it is given flags as Windows spells them: `rmdir /s`. */
  readonly slashAs: string | undefined
  /** Flags with which it runs no other command: `command -v`. */
  readonly idleFlags: ReadonlyArray<string>
  /** The commands after it run in the folder that it names: `cd`. */
  readonly enters: boolean
  /** An operand can be a path after a revision: `HEAD:.env`. */
  readonly refs: boolean
  /** Its operands are files that store its input: `tee`. */
  readonly stores: boolean
  /** Its first operand is afterwards in its last one: `mv`. */
  readonly moves: boolean
  /** It decodes text in this way, so that known text can be read. */
  readonly decodes: "base64" | "reverse" | undefined
  readonly role: ProgramRole | undefined
  /** A word that names the languages of the texts of a client with the role `query`. */
  readonly queries: string | undefined
  readonly runs: "rest" | "joined" | "dashes" | undefined
  readonly skip: number
  readonly runsFor: ReadonlyArray<ReadonlyArray<string>>
  readonly runsFlags: ReadonlyArray<string>
  /** One of them has to fit for `runsFlags`. None: any call. */
  readonly runsFlagForms: ReadonlyArray<PreparedForm>
  readonly root: boolean
  readonly request: RequestPlaces | undefined
  readonly helpFirst: boolean
  readonly forms: ReadonlyArray<PreparedForm>
  readonly reaches: ReadonlyArray<PreparedReach>
  /** Its output lists the paths that it is given, and these flags have patterns of what it lists: `Get-ChildItem`. */
  readonly lists: ReadonlyArray<string> | undefined
  /** Its output is some of the lines that come in: `grep`, `head`. */
  readonly filters: boolean
  /** The beginning of the word that stands for a line of its output, before a name that it is given: `pgrep`. */
  readonly printsNames: string | undefined
  /** It only reads, and neither keeps nor searches texts. */
  readonly onlyReads: boolean
}

/** Names of places that are not production. */
export interface Landings {
  /** Hosts that are this machine. */
  readonly local: ReadonlySet<string>
  /** Patterns of hosts and contexts that are for development. */
  readonly development: ReadonlyArray<string>
  /** Words of a name that mean the same. */
  readonly developmentWords: ReadonlySet<string>
  /** Patterns of places that the organization states as its own, and that are not production. */
  readonly own?: ReadonlyArray<string>
  /** Endings of public hosts that are such words: `dev`. */
  readonly publicEndings: ReadonlySet<string>
}

/** A glob of paths with the place of its class. */
export interface PlacedGlob {
  readonly glob: string
  readonly order: number
}

/** By the sign that a glob begins with, else by `*` and the sign that it ends with, else by `*`; in the order of their classes. */
export type GlobsByEdge = ReadonlyMap<string, ReadonlyArray<PlacedGlob>>

/** The patterns of all classes. The place of a class is its rank: the smallest that fits decides. */
export interface PreparedPaths {
  readonly classes: ReadonlyArray<string>
  readonly exact: ReadonlyMap<string, number>
  readonly segments: ReadonlyMap<string, number>
  readonly pathGlobs: GlobsByEdge
  readonly segmentGlobs: GlobsByEdge
}

/** The effect of further words in a statement, in addition to that of the first word. */
export interface SqlDeed {
  /** All of them hold. */
  readonly parts: ReadonlyArray<SqlDeedPart>
  readonly act: CommandAct
}

/** Words that follow each other, or that nothing bounds the rows. */
export type SqlDeedPart = ReadonlyArray<string> | "every row"

export interface QueryDeed {
  readonly words: ReadonlyArray<string>
  readonly act: CommandAct
  /** The act where the text limits the things that it affects. */
  readonly bounded: CommandAct
}

export interface QueryLanguage {
  readonly begins: ReadonlySet<string> | undefined
  readonly bounds: ReadonlySet<string>
  readonly reads: ReadonlySet<string>
  readonly read: CommandAct
  readonly deeds: ReadonlyMap<string, ReadonlyArray<QueryDeed>>
  readonly program: string | undefined
  readonly statements: boolean
}

export interface QueryLanguages {
  /** By the words of tools, systems and keys that take them. */
  readonly byWord: ReadonlyMap<string, ReadonlyArray<QueryLanguage>>
  /** Languages whose texts can be told from code and from prose. */
  readonly shaped: ReadonlyArray<QueryLanguage>
  /** Keys of JSON under which a single word is a query. */
  readonly keys: ReadonlySet<string>
  /** Fits JSON with a key for the language of a text. */
  readonly statedIn: RegExp
}

/** Words of code that no other reader understands: texts near such a word may be commands, or paths that are removed. */
export interface CodeWords {
  readonly runs: ReadonlyArray<string>
  readonly removes: ReadonlyArray<string>
  /** Flags of interpreters whose value is code. */
  readonly flags: ReadonlyArray<string>
}

/** How `curl` and its like state an HTTP request: their flags, and the words that stand for a method. */
export interface RequestWords {
  readonly methods: ReadonlyArray<string>
  readonly bodies: ReadonlyArray<string>
  readonly files: ReadonlyArray<string>
  readonly outputs: ReadonlyArray<string>
  readonly verbs: Readonly<Record<string, string>>
  /** Patterns of paths at which a POST only asks. */
  readonly asks: ReadonlyArray<string>
}

/** A request to a service as the command that does the same: `DELETE /repos/acme/shop` is `gh repo delete`. */
export interface PreparedRequest {
  /** Undefined: any. */
  readonly methods: ReadonlySet<string> | undefined
  readonly segments: ReadonlyArray<string>
  readonly command: string
  /** Patterns of what is sent, of which one has to fit. Undefined: anything. */
  readonly sent: ReadonlyArray<string> | undefined
}

export interface PreparedApi {
  readonly hosts: ReadonlyArray<string>
  readonly base: ReadonlyArray<string>
  readonly requests: ReadonlyArray<PreparedRequest>
}

export interface PreparedCommands {
  readonly apis: ReadonlyArray<PreparedApi>
  /** By the names of the programs that run the language. */
  readonly interpreters: ReadonlyMap<string, PreparedInterpreter>
  readonly codeWords: CodeWords
  /** Patterns of commands that print only the set-up of a shell, and nothing that another party wrote. */
  readonly setUps: ReadonlyArray<string>
  /** Patterns of acts that name no place, such as those on the workspace: `file.edit`. */
  readonly placelessActs: ReadonlyArray<string>
  readonly queries: QueryLanguages
  /** The act of each method of a collection, by name in lower case. */
  readonly mongoMethods: ReadonlyMap<string, NamedAct>
  readonly limits: CommandLimits
  readonly programs: ReadonlyMap<string, PreparedProgram>
  /** Forms for the words after a program without an entry. */
  readonly unlisted: PreparedProgram
  /** By patterns of names: cmdlets, which begin with a verb. The first that fits decides. */
  readonly cmdlets: ReadonlyArray<{ readonly glob: string; readonly program: PreparedProgram }>
  /** The words of the CLIs of network devices. */
  readonly devicePrograms: ReadonlyMap<string, PreparedProgram>
  readonly paths: PreparedPaths
  readonly acts: { readonly [name in NamedAct]: CommandAct }
  readonly holds: ReadonlyMap<string, DataClassification>
  /** The impact of a SELECT by the rows that it reads: one, a list, many, all. Absent: low. */
  readonly sqlReadImpacts: {
    readonly [holds in DataClassification]?: readonly [one: Impact, list: Impact, bulk: Impact, all: Impact]
  }
  readonly sqlFunctions: ReadonlyArray<readonly [names: ReadonlyArray<string>, act: NamedAct]>
  /** By the first word of a statement. */
  readonly sqlDeeds: ReadonlyMap<string, ReadonlyArray<SqlDeed>>
  readonly sqlColumns: ReadonlyArray<readonly [names: ReadonlyArray<string>, act: CommandAct]>
  readonly superRoles: ReadonlyArray<string>
  readonly identifyingColumns: ReadonlySet<string>
  readonly shownColumns: ReadonlySet<string>
  readonly sqlFigures: ReadonlySet<string>
  /** Names of variables whose place everybody knows: `HOME`. In PowerShell in lower case, with its constants. */
  readonly placeVariables: { readonly [language in "shell" | "powershell"]: ReadonlySet<string> }
  /** Short names of cmdlets that no other shell has: `iex`. */
  readonly cmdletAliases: ReadonlySet<string>
  /** Methods of PowerShell's objects that change nothing outside, in lower case. */
  readonly methods: ReadonlySet<string>
  /** Flags with which any cmdlet only shows what it would do. */
  readonly rehearsals: ReadonlySet<string>
  readonly temporaryTables: ReadonlySet<string>
  readonly temporaryEndings: ReadonlySet<string>
  readonly sql: SqlWords
  readonly shellEscapes: ReadonlyArray<string>
  readonly runsVariables: ReadonlySet<string>
  readonly variables: ReadonlyMap<string, PreparedVariable>
  readonly quotedBeginnings: ReadonlySet<string>
  readonly vitalTables: ReadonlySet<string>
  readonly accessTables: ReadonlySet<string>
  readonly landings: Landings
  readonly requests: RequestWords
  /** Classes of paths of files that run by themselves, or that agents obey. */
  readonly obeyed: ReadonlySet<string>
  /** Classes of paths that hold data that someone keeps. */
  readonly kept: ReadonlySet<string>
  /** Programs that are called by their version: `python3.12`. */
  readonly versioned: ReadonlySet<string>
  /** Endings of names of hosts that no other party answers for. */
  readonly nearby: ReadonlyArray<string>
  /** Beginnings of the addresses of remote files. */
  readonly stores: ReadonlySet<string>
  readonly scriptEndings: ReadonlySet<string>
  readonly functionWords: ReadonlySet<string>
  /** The function words that are also names of files, branches and versions. */
  readonly nameWords: ReadonlySet<string>
}
