/** `lexicon/interpreters/*.json`: the effects of function calls in a programming language. */

import { Schema } from "effect"
import {
  codeGrammars,
  type NamePatterns,
  type PreparedCall,
  type PreparedInterpreter,
  type TemplateArgument,
  type TemplateWord
} from "../../scoring/reading/commands/code/Interpreters.ts"
import { fileStruct } from "../files/vocabulary.ts"
import { faultOf, madeFrom, optionalWords, setsAt, wordList, WordList, wordsOf } from "./actText.ts"
import { Why } from "../files/providerFiles.ts"

const argument = /^\{(?:(\d)\|?)?([\w|]*)([*?]*)\}$/

/** `{0|path}`: the first argument, or the one named `path`. Throws on anything else in braces. */
const parseArgument = (text: string): TemplateArgument => {
  const [, place, names = "", marks = ""] = argument.exec(text) ?? []
  if (place === undefined && names === "") throw new Error(`No argument: ${text}`)
  return {
    kind: "argument",
    place: place === undefined ? undefined : Number(place),
    names: names.split("|").filter((name) => name !== ""),
    isSpread: marks.includes("*"),
    isOptional: marks.includes("?")
  }
}

const parseWord = (text: string): TemplateWord => {
  if (text === "{this}") return { kind: "object" }
  if (text === "{name}") return { kind: "name" }
  return text.startsWith("{") ? parseArgument(text) : { kind: "text", text }
}

const parseCommand = (text: string): Pick<PreparedCall, "command" | "input"> => {
  const words = wordsOf(text)
  const at = words.indexOf("<")
  if (at === -1) return { command: words.map(parseWord), input: undefined }
  return { command: words.slice(0, at).map(parseWord), input: parseArgument(words[at + 1] ?? "") }
}

const parseOnly = (text: string): PreparedCall["only"] => {
  const at = text.indexOf("=")
  if (at === -1) throw new Error(`No value: ${text}`)
  return { argument: parseArgument(text.slice(0, at)), values: text.slice(at + 1).split(",") }
}

const CommandText = Schema.String.check(
  Schema.makeFilter((text: string) => faultOf(() => parseCommand(text)))
).annotate({
  description:
    "The equivalent command: `rm -rf {0}`. `{0|path}` is the first argument or the one named `path`, `{data}` a named one, `{0*}` a list of words, or a command line if it is a string, `{data?}` one that may be missing, `{this}` what the object was made from, `{name}` the last part of the name. `< {input}` is the input."
})
const OnlyText = Schema.String.check(
  Schema.makeFilter((text: string) => faultOf(() => parseOnly(text)))
).annotate({
  description: "`{1|mode}=*w*,*a*`: only if this argument has such a value, or an unknown one."
})

export const InterpreterFile = fileStruct({
  programs: wordList(
    "The programs that run code of this language; each has an entry with the role `interpreter`."
  ),
  grammar: Schema.optionalKey(Schema.Literals(codeGrammars)).annotate({
    description:
      "The grammar that parses it. Without one, code does nothing if all of its words are harmless, and is unread otherwise."
  }),
  modules: wordList("Modules that can be loaded without outside effects."),
  harmless: wordList(
    "Functions and values without outside effects; `*` matches one part of a name, or its end: `json.*`."
  ),
  methods: optionalWords(
    "Methods of any object without outside effects. The origin of the object is read separately."
  ),
  revealing: optionalWords("Members of any object that give access to everything: `constructor`."),
  own: optionalWords(
    "Patterns of modules that are the workspace's own code, which counts like one of its scripts: `src.*`, `./*`."
  ),
  loads: optionalWords("Functions that load a module."),
  applies: optionalWords("Functions that call their argument. A method begins with a dot."),
  joins: optionalWords("Functions that join the parts of a path."),
  passes: optionalWords("Functions that, for a path, return their first argument."),
  inputs: optionalWords("Expressions that read standard input."),
  places: Schema.optionalKey(Schema.Array(Schema.Tuple([WordList, WordList]))).annotate({
    description: "Functions and values, and the path that each stands for."
  }),
  calls: Schema.optionalKey(
    Schema.Array(
      Schema.Union([Schema.Tuple([WordList, CommandText]), Schema.Tuple([WordList, CommandText, OnlyText])])
    )
  ).annotate({
    description:
      "Calls with outside effects, and the equivalent command. A method begins with a dot. The first match decides."
  }),
  why: Why
})
export type InterpreterData = typeof InterpreterFile.Type

const patternsOf = (names?: string): NamePatterns => {
  const words = wordsOf(names)
  return {
    exact: new Set(words.filter((name) => !name.includes("*"))),
    patterns: words.filter((name) => name.includes("*")).map((name) => name.split("."))
  }
}

const prepareInterpreter = (data: InterpreterData): PreparedInterpreter => {
  const calls = new Map<string, Array<PreparedCall>>()
  for (const written of data.calls ?? [])
    for (const name of wordsOf(written[0])) {
      const [, command, only] = written
      const call = madeFrom<PreparedCall>(written, ["command"], {
        only: only === undefined ? undefined : parseOnly(only),
        ...parseCommand(command)
      })
      calls.set(name, [...(calls.get(name) ?? []), call])
    }
  return {
    grammar: data.grammar,
    ...setsAt(data, "methods", "revealing", "modules", "loads", "applies", "joins", "passes"),
    harmless: patternsOf(data.harmless),
    own: wordsOf(data.own),
    inputs: patternsOf(data.inputs),
    places: new Map(
      (data.places ?? []).flatMap(([names, place]) => wordsOf(names).map((name) => [name, place] as const))
    ),
    calls: new Map([...calls].filter(([name]) => !name.includes("*"))),
    callPatterns: [...calls]
      .filter(([name]) => name.includes("*"))
      .map(([name, list]) => [name.split("."), list])
  }
}

/** Keyed by the names of the programs that run the language. */
export const prepareInterpreters = (
  data: ReadonlyArray<InterpreterData>
): ReadonlyMap<string, PreparedInterpreter> =>
  new Map(
    data.flatMap((one) => {
      const prepared = prepareInterpreter(one)
      return wordsOf(one.programs).map((name) => [name, prepared] as const)
    })
  )
