/** The effects of function calls in a programming language, prepared for the code reader. `rules/lexicon/interpreters` has one file per language. */

/** The grammars available for parsing code. Code in other languages is read word by word. */
export const codeGrammars = ["python", "javascript"] as const
export type CodeGrammar = (typeof codeGrammars)[number]

/** One word of the command that is equivalent to a call. */
export type TemplateWord =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "argument"
      /** Its position among the arguments. Undefined: it can only be given by name. */
      readonly place: number | undefined
      readonly names: ReadonlyArray<string>
      /** A list becomes several words, and a single string a command line: `subprocess.run`. */
      readonly isSpread: boolean
      /** Omitted if the call does not give it. Any other argument that is not given counts as unknown. */
      readonly isOptional: boolean
    }
  /** The value from which the object was created: `x` in `Path("x").unlink()`. */
  | { readonly kind: "object" }
  /** The last part of the name: `HOME` in `os.environ["HOME"]`. */
  | { readonly kind: "name" }

export type TemplateArgument = Extract<TemplateWord, { kind: "argument" }>

/** A call with an outside effect, and its equivalent command. */
export interface PreparedCall {
  /** Applies only if this argument has one of these values, or an unknown one. */
  readonly only: { readonly argument: TemplateArgument; readonly values: ReadonlyArray<string> } | undefined
  readonly command: ReadonlyArray<TemplateWord>
  /** The argument that becomes the command's input. */
  readonly input: TemplateArgument | undefined
}

/** Dotted names; `*` matches one part. */
export interface NamePatterns {
  readonly exact: ReadonlySet<string>
  readonly patterns: ReadonlyArray<ReadonlyArray<string>>
}

export interface PreparedInterpreter {
  readonly grammar: CodeGrammar | undefined
  /** Functions and values without an outside effect. */
  readonly harmless: NamePatterns
  /** Methods of any object without an outside effect. Where the object came from was checked when it was created. */
  readonly methods: ReadonlySet<string>
  /** Members of any object that give access to everything else: `constructor`. */
  readonly revealing: ReadonlySet<string>
  /** Modules that can be loaded without an outside effect. */
  readonly modules: ReadonlySet<string>
  /** Patterns of modules that belong to the workspace: `src.*`. */
  readonly own: ReadonlyArray<string>
  /** Functions that load a module: `require`. */
  readonly loads: ReadonlySet<string>
  /** Functions that call their arguments: `map`, `.forEach`. */
  readonly applies: ReadonlySet<string>
  /** Functions that join the parts of a path, and functions that return their argument. */
  readonly joins: ReadonlySet<string>
  readonly passes: ReadonlySet<string>
  /** Names whose values come from standard input. */
  readonly inputs: NamePatterns
  /** The paths that functions and values return. */
  readonly places: ReadonlyMap<string, string>
  /** Indexed by name; a method's name begins with a dot. The first that fits decides. */
  readonly calls: ReadonlyMap<string, ReadonlyArray<PreparedCall>>
  readonly callPatterns: ReadonlyArray<
    readonly [name: ReadonlyArray<string>, calls: ReadonlyArray<PreparedCall>]
  >
}
