/** Knowledge about commands, prepared for look-up. `rules/lexicon` builds it from the files of a release. */

import type { DataClassification } from "../../../domain/Action.ts"
import type { Impact } from "../Act.ts"
import type { PreparedInterpreter } from "./code/Interpreters.ts"
import type { SqlWords } from "./sql/sqlWords.ts"
import type { CommandAct, NamedAct } from "./CommandReading.ts"

/** How a program is treated beyond its forms. See `invoke.ts`. */
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

/** Limits for one text, so that reading time is bounded whatever the text contains. Lengths are in UTF-16 units. */
export interface CommandLimits {
  /** A longer text is not read. */
  readonly textMax: number
  /** The total amount of text that is parsed for one text, including texts nested in it. */
  readonly parsedMax: number
  /** Longer code in another language is not read. */
  readonly codeMax: number
  /** The total number of parser steps for all code in one text. */
  readonly codeStepsMax: number
  readonly codeNestingMax: number
  /** The number of commands and shell constructs (loops, pipelines) that are read in one text. */
  readonly commandsMax: number
  /** How deeply they may be nested. */
  readonly nestingMax: number
  readonly actsMax: number
  /** The number of `$(`, backticks and here-documents that may open in one text. */
  readonly openingsMax: number
  /** The number of separators between commands in one text. */
  readonly separatorsMax: number
  readonly sqlTokensMax: number
  readonly pathLengthMax: number
  /** The number of words and redirections of one command. Those in the middle of a longer one are skipped. */
  readonly wordsMax: number
  /** The number of paths that are looked up in one text. Further ones count as unknown. */
  readonly pathsMax: number
  /** A LIMIT up to this only looks at a sample. */
  readonly sampleMax: number
  /** Texts with fewer English function words than this are not prose. */
  readonly proseMin: number
}

/** Where the arguments of a program other than `curl` contain an HTTP request. */
interface RequestPlaces {
  /** The first operand, such as `api` in `gh api`. Undefined: any. */
  readonly for?: string | undefined
  /** Flags whose value is the URL. Undefined: the URL is the next operand. */
  readonly url?: string | undefined
  /** The prefix for a URL that has no host. */
  readonly base?: string | undefined
  /** Flags whose value is the request body, in addition to those of `curl`. */
  readonly body?: string | undefined
}

/** The condition that one word of a form expresses. */
export type FormCondition =
  | { readonly kind: "path"; readonly globs: ReadonlyArray<string> }
  | {
      readonly kind: "flag"
      readonly flags: ReadonlyArray<string>
      readonly values: ReadonlyArray<string>
      readonly not: boolean
      /**
       * For a form that simulates: flags that switch the simulation off. Undefined: only values of the flag itself do, and only if all of
       * them do.
       */
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
  /** As written in the program's file: `push --force|-f`. */
  readonly words: string
  /** The program in whose file the form is, if another program passes its calls on to it. */
  readonly of?: string | undefined
  readonly conditions: ReadonlyArray<FormCondition>
  /** How many operands the words of the form match. */
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
  /** Setting any value changes a safeguard of the agent. */
  readonly guards: boolean
  readonly usual: ReadonlyArray<string>
  readonly list: boolean
  readonly where: ReadonlyArray<string>
  readonly unless: ReadonlyArray<string>
}

/** How a call of a program shows that it acts on another machine or service. */
export interface PreparedLanding {
  /** True: every call acts there (`terraform`). False: only a call that names a place (`psql -h db`). */
  readonly always: boolean
  /** Operands that make a call act there: `db push`. */
  readonly calls: ReadonlyArray<ReadonlyArray<string>>
  /** Flags whose value names the place: `--context`. */
  readonly flags: ReadonlyArray<string>
  /** Flags without a value that mean a remote place: `--linked`. */
  readonly switches: ReadonlyArray<string>
  /** Environment variables that name the place: `AWS_PROFILE`. */
  readonly variables: ReadonlyArray<string>
  /** Which operands name the place: the first, all, or those that are addresses, such as URLs and `host:path`. */
  readonly operands: "first" | "all" | "addresses" | undefined
  /** Words after which all operands name the place: `delete namespace`. */
  readonly behind: ReadonlyArray<ReadonlyArray<string>>
}

/** Words by which a program chooses the place for the following commands: `config use-context`. */
export interface PreparedChoice {
  readonly path: ReadonlyArray<string>
  /** The flags and variables that it sets implicitly: `--context`. */
  readonly as: ReadonlyArray<string>
  /** Undefined: the next operand names the place. */
  readonly place: string | undefined
}

export interface PreparedProgram {
  readonly name: string
  /** Undefined: it acts on the local machine. */
  readonly lands: PreparedLanding | undefined
  readonly chooses: ReadonlyArray<PreparedChoice>
  readonly values: ReadonlySet<string>
  /** Flags that do not take a value. */
  readonly switches: ReadonlySet<string>
  /** All flags that begin with two hyphens, for resolving abbreviated flags. */
  readonly longFlags: ReadonlyArray<string>
  readonly flags: "cluster" | "word" | "slash"
  /** The program that this one is on Windows, recognized by flags in Windows style: `rmdir /s`. */
  readonly slashAs: string | undefined
  /** Flags with which it does not run another command: `command -v`. */
  readonly idleFlags: ReadonlyArray<string>
  /** Changes the working folder of the following commands: `cd`. */
  readonly enters: boolean
  /** An operand may be a path after a revision: `HEAD:.env`. */
  readonly refs: boolean
  /** Writes its input to the files in its operands: `tee`. */
  readonly stores: boolean
  /** Its last operand becomes what its first operand was: `mv`. */
  readonly moves: boolean
  /** How it decodes its input, so that a known text can be read. */
  readonly decodes: "base64" | "reverse" | undefined
  readonly role: ProgramRole | undefined
  /** For a client with the role `query`: a word that determines the languages of its texts. */
  readonly queries: string | undefined
  readonly runs: "rest" | "joined" | "dashes" | undefined
  readonly skip: number
  readonly runsFor: ReadonlyArray<ReadonlyArray<string>>
  readonly runsFlags: ReadonlyArray<string>
  /** `runsFlags` applies only if one of these forms fits. Empty: always. */
  readonly runsFlagForms: ReadonlyArray<PreparedForm>
  readonly root: boolean
  readonly request: RequestPlaces | undefined
  readonly helpFirst: boolean
  readonly forms: ReadonlyArray<PreparedForm>
  readonly reaches: ReadonlyArray<PreparedReach>
  /** Set if its output lists the paths that it is given (`Get-ChildItem`): the flags whose values filter the list. */
  readonly lists: ReadonlyArray<string> | undefined
  /** Its output is a subset of its input lines: `grep`, `head`. */
  readonly filters: boolean
  /** The prefix of the word that represents a line of its output, before a name from its arguments: `pgrep`. */
  readonly printsNames: string | undefined
  /** Only reads, and neither stores nor searches texts. */
  readonly onlyReads: boolean
}

/** Names of places that are not production. */
export interface Landings {
  /** Host names of the local machine. */
  readonly local: ReadonlySet<string>
  /** Patterns of hosts and contexts used for development. */
  readonly development: ReadonlyArray<string>
  /** Words in a name that mean development. */
  readonly developmentWords: ReadonlySet<string>
  /** Patterns of the organization's own places that it states are not production. */
  readonly own?: ReadonlyArray<string>
  /** Public top-level domains that are also such words: `dev`. */
  readonly publicEndings: ReadonlySet<string>
}

/** A path glob with the rank of its class. */
export interface PlacedGlob {
  readonly glob: string
  readonly order: number
}

/**
 * Groups globs by their first character, or by `*` and their last character if they begin with `*`, or by `*`. Each group is in the order
 * of the classes.
 */
export type GlobsByEdge = ReadonlyMap<string, ReadonlyArray<PlacedGlob>>

/** The patterns of all classes. `place` is a class's rank; the lowest one that fits wins. */
export interface PreparedPaths {
  readonly classes: ReadonlyArray<string>
  readonly exact: ReadonlyMap<string, number>
  readonly segments: ReadonlyMap<string, number>
  readonly pathGlobs: GlobsByEdge
  readonly segmentGlobs: GlobsByEdge
}

/** An effect that further words of a statement add to that of its first word. */
export interface SqlDeed {
  /** All parts must be present. */
  readonly parts: ReadonlyArray<SqlDeedPart>
  readonly act: CommandAct
}

/** A sequence of words, or `every row`: nothing limits the rows. */
export type SqlDeedPart = ReadonlyArray<string> | "every row"

export interface QueryDeed {
  readonly words: ReadonlyArray<string>
  readonly act: CommandAct
  /** The act if the text limits the things affected. */
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
  /** Indexed by words in names of tools, systems and keys that take these languages. */
  readonly byWord: ReadonlyMap<string, ReadonlyArray<QueryLanguage>>
  /** Languages whose texts can be distinguished from code and prose. */
  readonly shaped: ReadonlyArray<QueryLanguage>
  /** JSON keys under which even a single word is a query. */
  readonly keys: ReadonlySet<string>
  /** Matches JSON with a key that states the language of a text. */
  readonly statedIn: RegExp
}

/** Words in code that no other reader understands. A text near such a word may be a command, or a path that is removed. */
export interface CodeWords {
  readonly runs: ReadonlyArray<string>
  readonly removes: ReadonlyArray<string>
  /** Interpreter flags whose value is code. */
  readonly flags: ReadonlyArray<string>
}

/** How `curl` and similar programs express an HTTP request: their flags, and the words for methods. */
export interface RequestWords {
  readonly methods: ReadonlyArray<string>
  readonly bodies: ReadonlyArray<string>
  readonly files: ReadonlyArray<string>
  readonly outputs: ReadonlyArray<string>
  readonly verbs: Readonly<Record<string, string>>
  /** Patterns of paths at which a POST only queries. */
  readonly asks: ReadonlyArray<string>
}

/** A request to a service, with the equivalent command: `DELETE /repos/acme/shop` is `gh repo delete`. */
export interface PreparedRequest {
  /** Undefined: any. */
  readonly methods: ReadonlySet<string> | undefined
  readonly segments: ReadonlyArray<string>
  readonly command: string
  /** Patterns for the body, one of which must match. Undefined: any body. */
  readonly sent: ReadonlyArray<string> | undefined
}

export interface PreparedApi {
  readonly hosts: ReadonlyArray<string>
  readonly base: ReadonlyArray<string>
  readonly requests: ReadonlyArray<PreparedRequest>
}

export interface PreparedCommands {
  readonly apis: ReadonlyArray<PreparedApi>
  /** Indexed by the names of the programs that run the language. */
  readonly interpreters: ReadonlyMap<string, PreparedInterpreter>
  readonly codeWords: CodeWords
  /** Patterns of commands that only print shell configuration, and nothing written by a third party. */
  readonly setUps: ReadonlyArray<string>
  /** Patterns of acts that have no place, such as those on the workspace: `file.edit`. */
  readonly placelessActs: ReadonlyArray<string>
  readonly queries: QueryLanguages
  /** The act of each method of a MongoDB collection, by name in lower case. */
  readonly mongoMethods: ReadonlyMap<string, NamedAct>
  readonly limits: CommandLimits
  readonly programs: ReadonlyMap<string, PreparedProgram>
  /** Forms for the words after a program that has no entry. */
  readonly unlisted: PreparedProgram
  /** Programs by name patterns, for cmdlets whose name begins with a verb. The first match wins. */
  readonly cmdlets: ReadonlyArray<{ readonly glob: string; readonly program: PreparedProgram }>
  /** The commands of network devices. */
  readonly devicePrograms: ReadonlyMap<string, PreparedProgram>
  readonly paths: PreparedPaths
  readonly acts: { readonly [name in NamedAct]: CommandAct }
  readonly holds: ReadonlyMap<string, DataClassification>
  /** The impact of a SELECT by how many rows it reads: one, a list, many, all. Absent: low. */
  readonly sqlReadImpacts: {
    readonly [holds in DataClassification]?: readonly [one: Impact, list: Impact, bulk: Impact, all: Impact]
  }
  readonly sqlFunctions: ReadonlyArray<readonly [names: ReadonlyArray<string>, act: NamedAct]>
  /** Indexed by the first word of a statement. */
  readonly sqlDeeds: ReadonlyMap<string, ReadonlyArray<SqlDeed>>
  readonly sqlColumns: ReadonlyArray<readonly [names: ReadonlyArray<string>, act: CommandAct]>
  readonly superRoles: ReadonlyArray<string>
  readonly identifyingColumns: ReadonlySet<string>
  readonly shownColumns: ReadonlySet<string>
  readonly sqlFigures: ReadonlySet<string>
  /** Names of variables whose value is a well-known place: `HOME`. For PowerShell in lower case, including its constants. */
  readonly placeVariables: { readonly [language in "shell" | "powershell"]: ReadonlySet<string> }
  /** Aliases of cmdlets that no other shell has: `iex`. */
  readonly cmdletAliases: ReadonlySet<string>
  /** Methods of PowerShell objects that have no outside effect, in lower case. */
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
  /** Path classes of files that run automatically or that agents obey. */
  readonly obeyed: ReadonlySet<string>
  /** Path classes that hold data worth keeping. */
  readonly kept: ReadonlySet<string>
  /** Programs whose name may include a version: `python3.12`. */
  readonly versioned: ReadonlySet<string>
  /** Endings of host names that only resolve locally. */
  readonly nearby: ReadonlyArray<string>
  /** Beginnings of remote file addresses. */
  readonly stores: ReadonlySet<string>
  readonly scriptEndings: ReadonlySet<string>
  readonly functionWords: ReadonlySet<string>
  /** Function words that are also names of files, branches or versions. */
  readonly nameWords: ReadonlySet<string>
}
