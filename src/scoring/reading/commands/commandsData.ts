/** The vocabulary of commands as JSON, as in rules/lexicon/commands.json. People edit it, and `prepareCommands` prepares it for look-ups. */

import type { DataClassification } from "../../../domain/Action.ts"
import type { Impact, NamedAct } from "../Act.ts"

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
  "find",
  "alias",
  "lines"
] as const
export type ProgramRole = (typeof programRoles)[number]

/** Where a program that is no `curl` is told of an HTTP request. */
export interface RequestData {
  /** The first operand: `api` of `gh api`. Absent: any. */
  readonly for?: string
  /** Flags whose value is the address. Absent: the address is the next operand. */
  readonly url?: string
  /** What stands in front of an address without a host. */
  readonly base?: string
  /** Flags whose value is sent, beside those of `curl`. */
  readonly body?: string
}

export interface ProgramData {
  /** Names of the programs, separated by spaces. With `*` it is a pattern for cmdlets that have no entry of their own: `remove-*`. */
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
  /** A call of it is an HTTP request: `gh api`. */
  readonly request?: RequestData
  /** Help is asked for in front of the first operand only: `rm x --help` removes x wherever the C library does not sort arguments. */
  readonly helpFirst?: boolean
  /** A word of the CLI of routers, switches and firewalls. Elsewhere it is another program, or a word of any sentence: `no`, `show`. */
  readonly device?: boolean
  /** The reason for an entry, for reviewers. */
  readonly why?: string
  readonly forms: ReadonlyArray<FormData>
}

/** What programs do beside what they are for. All of it is added to what their forms say. */
export interface ReachData {
  /** Names of programs, each with an entry of its own. */
  readonly names: string
  /** The first operand has to be one of these. */
  readonly only?: string
  /** Flags whose value is a text for a shell. `-o=ProxyCommand`: the value of `-o` behind that name. */
  readonly runs?: string
  /** Flags behind which the words of a command stand. */
  readonly runsRest?: string
  /** The operands behind these are a text for a shell: `bisect run`. */
  readonly runsBehind?: ReadonlyArray<string>
  /** Flags there that take the next word. */
  readonly values?: string
  /** Words there that are no part of the text, such as the names of keys. */
  readonly drops?: string
  /** What stands behind such a beginning of a word is a text for a shell: `+!`. */
  readonly runsBeginnings?: string
  /** Settings whose value is a text for a shell. */
  readonly keys?: string
  /** Settings whose value is one where it begins with `!` or `/`. */
  readonly shellKeys?: string
  /** Programs that people name there, so that naming them says nothing. */
  readonly usual?: string
  /** Flags whose value is a file that it writes. */
  readonly writes?: string
  /** Flags with which it writes the files that it otherwise reads. */
  readonly edits?: string
  /**
   * The words of a command stand behind these: `exec *`, and `$` for nothing. What it does counts beside what the forms say, if the command
   * is known.
   */
  readonly runsWords?: ReadonlyArray<string>
  /** Names there that are tasks of the project, not the programs of that name: `format`. */
  readonly tasks?: string
  /** What leaves for another host: values of flags that exist only when it runs, and with `<` what comes in. */
  readonly sends?: string
  /** The first operand is a script in this language. */
  readonly script?: "sed" | "awk"
  /** It asks a server of the network for the names that it is given. */
  readonly asksNames?: boolean
  readonly forms?: ReadonlyArray<FormData>
  readonly why?: string
}

/** Variables of the environment that make a program run other code. */
export interface VariableData {
  readonly names: string
  /** The value is a text for a shell. */
  readonly runs?: boolean
  readonly usual?: string
  /** The value is a list with `:` between the places. */
  readonly list?: boolean
  /** Values that are code of nobody knows whom. */
  readonly where?: string
  /** Any other value is. */
  readonly unless?: string
  readonly why?: string
}

/** Which tools take a command, by the words of their names. */
export interface ToolsData {
  /** Of tools that take SQL; `*` stands for any characters. */
  readonly sql: string
  /** What a statement of SQL can begin with. */
  readonly sqlBeginnings: string
  /** A resource of so many characters can be the beginning of `metadata.command`, which is read in its place. */
  readonly resourceCut: number
  /** So many units of it are read then, as they fold; what stands behind them is unread. */
  readonly commandMax: number
  /** Verbs of names that say that the tool takes a command. What other verbs say counts beside a command of low impact. */
  readonly carriers: string
  /** Parameters that hold a command: `{"command":"ls"}`, and `command=plan` of a tool called like a program. */
  readonly parameters: {
    readonly command: string
    /** What stands behind the command. */
    readonly arguments: string
    /** What may stand beside it in JSON and changes nothing of what it does. With any other parameter that has a value the command is not whole. */
    readonly beside: string
    /** The same, for tools of switches and routers alone. */
    readonly besideOfDevice: string
  }
  /** Tools to which SQL is a text: that search, write messages, or edit files. Every word of the tool's name has to say so. */
  readonly textTools: {
    /** Words in front that say whose tool it is. */
    readonly brands: string
    /** Whole names, without separators. */
    readonly names: string
    /** One of the verbs, at either end of the name, and objects. */
    readonly acts: ReadonlyArray<readonly [verbs: string, objects: string]>
  }
  /** Of tools that take the text of a shell. */
  readonly shell: string
  /** Sequences of words of tools that take lines of a network device's CLI. */
  readonly device: ReadonlyArray<string>
  /** Beside the name of a program they say only that it is called: `aws_cli`, `run_kubectl_command`. */
  readonly fillers: string
  /** How tools are called whose program is called otherwise. */
  readonly programs: ReadonlyArray<readonly [aliases: string, program: string]>
}

/** A language beside SQL in which databases and stores are asked, by its words that write or destroy. */
export interface QueryLanguageData {
  readonly name: string
  /** Words of tools, systems and keys that take it. */
  readonly tools: string
  /** A text in it is told from code and from prose, so that tools that run or ask anything need not name it. */
  readonly shaped?: boolean
  /** What a text in it begins with. Absent: anything. */
  readonly begins?: string
  /** What a text begins with that only reads, where it holds no deed. */
  readonly reads?: string
  /** Signs that say to which things a deed is done. */
  readonly bounds?: string
  /** The first that fits decides for its place: the phrase, its act, and its act where a sign bounds it. `^` stands in front of the text. */
  readonly deeds: ReadonlyArray<readonly [phrase: string, act: string, bounded?: string]>
  /** Each line of it is a call of this program instead. */
  readonly program?: string
  /** Its texts are read as statements instead: `db.users.drop()`. */
  readonly statements?: boolean
  readonly why?: string
}

export interface CommandsData {
  readonly tools: ToolsData
  readonly queryLanguages: ReadonlyArray<QueryLanguageData>
  /** What a client of a database hands to a shell stands behind these: `\\! rm -rf /`. */
  readonly shellEscapes: string
  /** Keys of JSON under which one word alone is a query: `{"command":"FLUSHALL"}`. */
  readonly queryKeys: string
  readonly reaches: ReadonlyArray<ReachData>
  readonly variables: ReadonlyArray<VariableData>
  /** Quoted words of programs that only read: those that begin so are read too, unless the program keeps or seeks texts. */
  readonly quoted: { readonly beginnings: string; readonly keepers: string }
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
  readonly programs: ReadonlyArray<ProgramData>
  /**
   * What the words behind a program say where it has no entry: `acmectl tenants purge`. What they delete counts beside the entry of a program
   * of which only the form for any words fits, too.
   */
  readonly unlisted: ReadonlyArray<FormData>
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
  /**
   * `["MERGE", "DELETE", act]`: a statement that begins with the first word, with the further ones in it one behind the other, does that too.
   * `&` separates what has to stand in it somewhere; `*` says that it meets every row.
   */
  readonly sqlDeeds: ReadonlyArray<readonly [first: string, word: string, act: string]>
  /** What an UPDATE of such a column does; the name may hold `*`. */
  readonly sqlColumns: ReadonlyArray<readonly [names: string, act: string]>
  /** Roles and privileges that give everything. */
  readonly superRoles: string
  /** Words of columns that tell people or things apart: what is grouped by one is a row. */
  readonly identifyingColumns: string
  /** Words of columns whose least and greatest value tell a secret or a person: `MAX(token)`. */
  readonly shownColumns: string
  /** Functions of single dialects that make one figure of many rows: `PERCENTILE`. */
  readonly sqlFigures: string
  /**
   * Flags that take no value in any program. A word behind another flag that no form and no list of values names may be its value: what
   * stands behind it chooses what is done, too.
   */
  readonly switches: string
  /** Words of tables that can be made again. */
  readonly temporaryTables: string
  /** Words that say so at the end of a table's own name alone: `orders_test`, and not `test_results`. */
  readonly temporaryEndings: string
  /** Variables of the environment that make any program run other code. */
  readonly runsVariables: string
  /** Words of tables whose loss stops the business. */
  readonly vitalTables: string
  /** Words of tables that hold rights. */
  readonly accessTables: string
  /** Hosts that are this machine. */
  readonly localHosts: string
  /** Words that prose has and commands lack. */
  readonly functionWords: string
}
