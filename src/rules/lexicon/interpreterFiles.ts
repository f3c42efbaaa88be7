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
    "The command that does the same: `rm -rf {0}`. `{0|path}` the first argument or the one named `path`, `{data}` one with a name, `{0*}` a list of words, or a command line where it is a text, `{data?}` left out where it is not given, `{this}` what the object was made of, `{name}` the last part of the name. `< {input}` what comes in."
})
const OnlyText = Schema.String.check(
  Schema.makeFilter((text: string) => faultOf(() => parseOnly(text)))
).annotate({
  description: "`{1|mode}=*w*,*a*`: only where this argument has such a value, or one that is not known."
})

export const InterpreterFile = fileStruct({
  programs: wordList(
    "The programs that run code of this language; each has an entry with the role `interpreter`."
  ),
  grammar: Schema.optionalKey(Schema.Literals(codeGrammars)).annotate({
    description:
      "The grammar that it is parsed with. Without one, code all of whose words are harmless does nothing, and other code is unread."
  }),
  modules: wordList("Modules that can be loaded without an effect outside."),
  harmless: wordList(
    "Functions and values that have no effect outside; `*` stands for one part of a name, or for its end: `json.*`."
  ),
  methods: optionalWords(
    "Methods of any object that have none. Where an object comes from is read by itself."
  ),
  revealing: optionalWords("Members of any object that lead to everything else: `constructor`."),
  own: optionalWords(
    "Patterns of modules that are the workspace's own code, which counts like a script of the workspace: `src.*`, `./*`."
  ),
  loads: optionalWords("Functions that load a module."),
  applies: optionalWords("Functions that call what they are given. A method begins with a dot."),
  joins: optionalWords("Functions that put the parts of a path together."),
  passes: optionalWords("Functions that give back what they are given first, as far as a path is concerned."),
  inputs: optionalWords("Expressions that read standard input."),
  places: Schema.optionalKey(Schema.Array(Schema.Tuple([WordList, WordList]))).annotate({
    description: "Functions and values, and the path that they stand for."
  }),
  calls: Schema.optionalKey(
    Schema.Array(
      Schema.Union([Schema.Tuple([WordList, CommandText]), Schema.Tuple([WordList, CommandText, OnlyText])])
    )
  ).annotate({
    description:
      "Calls with an effect outside, and the command that does the same. A method begins with a dot. The first that fits decides."
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
