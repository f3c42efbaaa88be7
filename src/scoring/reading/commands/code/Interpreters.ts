/** The effects of calls in a programming language, as the reader of code looks them up. `rules/lexicon/interpreters` has one file for each language. */

/** The grammars that code is parsed with. Without one, code is read word by word. */
export const codeGrammars = ["python", "javascript"] as const
export type CodeGrammar = (typeof codeGrammars)[number]

/** A word of the command that a call stands for. */
export type TemplateWord =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "argument"
      /** Its place among the arguments. Undefined: it is only given by name. */
      readonly place: number | undefined
      readonly names: ReadonlyArray<string>
      /** A list gives several words, and a single text is a command line: `subprocess.run`. */
      readonly isSpread: boolean
      /** Left out where the call does not give it. Any other argument that is not given counts as unknown. */
      readonly isOptional: boolean
    }
  /** The value that the object was made of: `x` of `Path("x").unlink()`. */
  | { readonly kind: "object" }
  /** The last part of the name: `HOME` of `os.environ["HOME"]`. */
  | { readonly kind: "name" }

export type TemplateArgument = Extract<TemplateWord, { kind: "argument" }>

/** A call with an effect outside, and the command that does the same. */
export interface PreparedCall {
  /** It does so where this argument has such a value, or one that is not known. */
  readonly only: { readonly argument: TemplateArgument; readonly values: ReadonlyArray<string> } | undefined
  readonly command: ReadonlyArray<TemplateWord>
  /** The argument that the command is given as its input. */
  readonly input: TemplateArgument | undefined
}

/** CodeNames with dots; `*` stands for one part. */
export interface NamePatterns {
  readonly exact: ReadonlySet<string>
  readonly patterns: ReadonlyArray<ReadonlyArray<string>>
}

export interface PreparedInterpreter {
  readonly grammar: CodeGrammar | undefined
  /** Functions and values that have no effect outside. */
  readonly harmless: NamePatterns
  /** Methods of any object that have no effect outside: the origin of the object was read before. */
  readonly methods: ReadonlySet<string>
  /** Members of any object that lead to everything else: `constructor`. */
  readonly revealing: ReadonlySet<string>
  /** Modules that can be loaded without an effect outside. */
  readonly modules: ReadonlySet<string>
  /** Patterns of modules that are the workspace's own code: `src.*`. */
  readonly own: ReadonlyArray<string>
  /** Functions that load a module: `require`. */
  readonly loads: ReadonlySet<string>
  /** Functions that call their arguments: `map`, `.forEach`. */
  readonly applies: ReadonlySet<string>
  /** Functions that join parts of a path, and functions that return their argument. */
  readonly joins: ReadonlySet<string>
  readonly passes: ReadonlySet<string>
  /** Names of values that come from standard input. */
  readonly inputs: NamePatterns
  /** Paths that functions and values stand for. */
  readonly places: ReadonlyMap<string, string>
  /** By name; that of a method begins with a dot. The first that fits decides. */
  readonly calls: ReadonlyMap<string, ReadonlyArray<PreparedCall>>
  readonly callPatterns: ReadonlyArray<
    readonly [name: ReadonlyArray<string>, calls: ReadonlyArray<PreparedCall>]
  >
}
