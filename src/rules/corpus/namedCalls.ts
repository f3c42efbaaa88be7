/** Calls named in the lexicon itself: one for each catalogue entry, program form, statement, verb and noun, so that any change to one becomes visible. */

import { isRecord } from "../../json/json.ts"
import type { SourceFile } from "../files/readTree.ts"
import { otherProgram } from "../lexicon/actText.ts"
import { asHookStates, type PlacelessCall } from "./callGroups.ts"

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const recordOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {})
const firstWordOf = (value: unknown): string => String(value).split(" ", 1)[0] ?? ""

/** Each entry of a provider's catalogue, with the provider's first prefix. */
export const entryCalls = (catalogue: unknown): ReadonlyArray<PlacelessCall> => {
  const { actions, prefixes } = recordOf(catalogue)
  return Object.keys(recordOf(actions)).map((name) => ({ actionType: `${listOf(prefixes)[0]}.${name}` }))
}

/** An example path for each class that a form can name with `@`. */
const pathOfClass: Readonly<Record<string, string>> = {
  root: "/",
  here: ".",
  above: "..",
  secret: ".env",
  "secret:key": "~/.aws/credentials",
  "secret:key:private": "~/.ssh/id_rsa",
  trusted: "~/.bashrc",
  system: "/etc/hosts",
  log: "/var/log/syslog",
  device: "/dev/sda",
  pipeline: ".github/workflows/ci.yml",
  disposable: "build",
  socket: "/dev/tcp/1.2.3.4/80",
  null: "/dev/null",
  sample: ".env.example"
}

/** `push --force|-f ~main` → `push --force main`. Omits words that must not be given. */
const wordOfCondition = (condition: string): string => {
  if (condition.startsWith("!") || condition === "$") return ""
  const [first = ""] = condition.replace(/^(?:@@?|[~<>])/, "").split("|")
  if (/^[@<>]/.test(condition)) return pathOfClass[first] ?? "notes.txt"
  const [flag = "", value] = first.split("=", 2)
  const filled = (text: string): string => text.replaceAll("*", "x")
  return value === undefined ? filled(flag) : `${flag} ${filled(value.split(",", 1)[0] ?? "")}`
}

/** The forms of each program, keyed by its names. */
type FormsByName = ReadonlyMap<string, ReadonlyArray<unknown>>

const textsOfForm = (form: unknown, forms: FormsByName): ReadonlyArray<string> => {
  const [text, act] = listOf(form).map(String)
  const others = forms.get(otherProgram(act ?? "") ?? "")
  return others === undefined ? [text ?? ""] : others.map((other) => `${text} ${String(listOf(other)[0])}`)
}

const commandsOfProgram = (program: unknown, byName: FormsByName): ReadonlyArray<PlacelessCall> => {
  const { also, forms, names } = recordOf(program)
  const all = [...listOf(forms), ...listOf(also).flatMap((one) => listOf(recordOf(one)["forms"]))]
  return all
    .flatMap((form) => textsOfForm(form, byName))
    .map((text) => {
      const words = text.split(" ").map(wordOfCondition)
      return asHookStates([firstWordOf(names), ...words].filter((word) => word !== "").join(" "))
    })
}

const textsOfLanguage = (language: unknown): ReadonlyArray<PlacelessCall> => {
  const { deeds, tools } = recordOf(language)
  return listOf(deeds).map((deed) => ({
    actionType: `${firstWordOf(tools)}.query`,
    targetResource: String(listOf(deed)[0])
  }))
}

const plainNouns = ["record", "customers", "api_key", "database"]
const plainVerbs = ["get", "update", "delete", "send"]

const nameOf = (...words: ReadonlyArray<string>): PlacelessCall => ({
  actionType: words.join(" ").replaceAll(" ", "_")
})

/** The nouns for which a verb has a different meaning. For `@group`, the first noun of the group. */
const nounsOf = (meaning: unknown, groups: unknown): ReadonlyArray<string> =>
  Object.keys(recordOf(recordOf(meaning)["by"])).flatMap((key) => {
    if (key.startsWith("@")) return listOf(recordOf(groups)[key.slice(1)]).slice(0, 1).map(String)
    return /^\w/.test(key) ? [key] : []
  })

/** Each verb alone and with nouns, and the first verbs that share a row of meanings, with the nouns of that row. */
const namesOfVerbs = (words: unknown): ReadonlyArray<PlacelessCall> => {
  const { groups, phrases, shared, verbs } = recordOf(words)
  const own = Object.entries({ ...recordOf(verbs), ...recordOf(phrases) })
  return [
    ...own.flatMap(([verb, meaning]) => [
      nameOf(verb),
      ...[...plainNouns, ...nounsOf(meaning, groups)].map((noun) => nameOf(verb, noun))
    ]),
    ...listOf(shared).flatMap((row) =>
      listOf(recordOf(row)["verbs"])
        .slice(0, sharingVerbs)
        .flatMap((verb) => nounsOf(row, groups).map((noun) => nameOf(String(verb), noun)))
    )
  ]
}

const sharingVerbs = 3

const namesOfNouns = (words: unknown): ReadonlyArray<PlacelessCall> =>
  Object.keys(recordOf(recordOf(words)["objects"])).flatMap((noun) =>
    plainVerbs.map((verb) => nameOf(verb, noun))
  )

/** List words have an effect next to a verb, before a noun, in an otherwise unknown name, and in a resource. */
const namesOfWords = (words: unknown): ReadonlyArray<PlacelessCall> =>
  Object.values(recordOf(words)).flatMap((list) =>
    listOf(list).flatMap((word) => [
      nameOf("update", String(word)),
      nameOf(String(word), "customers"),
      nameOf("frobnicate", String(word)),
      { actionType: "update_record", targetResource: `${word} production` }
    ])
  )

const callsOfFile = (
  { folder, json, name }: SourceFile,
  forms: FormsByName
): ReadonlyArray<PlacelessCall> => {
  switch (folder) {
    case "providers":
      return entryCalls(json)
    case "programs":
      return commandsOfProgram(json, forms)
    case "statements":
      return textsOfLanguage(json)
    case "words":
      return name === "words" ? namesOfWords(json) : [...namesOfVerbs(json), ...namesOfNouns(json)]
    default:
      return listOf(recordOf(json)["programs"]).flatMap((one) => commandsOfProgram(one, forms))
  }
}

export const callsOfLexicon = (lexicon: ReadonlyArray<SourceFile>): ReadonlyArray<PlacelessCall> => {
  const programs = lexicon.filter(({ folder }) => folder === "programs").map(({ json }) => recordOf(json))
  const forms = new Map(
    programs.flatMap((one) =>
      String(one["names"])
        .split(" ")
        .map((name) => [name, listOf(one["forms"])] as const)
    )
  )
  return lexicon.flatMap((file) => callsOfFile(file, forms))
}
