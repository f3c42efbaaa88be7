/** The entries of files about commands that changed, each with commands in which it can count. */

import { isDeepStrictEqual } from "node:util"
import { isRecord } from "../../json/json.ts"
import { everydayCommands } from "../counterexample/spellings.ts"
import { type ChangedPath, changedPaths } from "./changedPaths.ts"
import type { ChangedEntry, ExampleNames } from "./lexiconEntries.ts"

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const wordsOf = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string" ? value.split(" ").filter((word) => word !== "") : []
const memberOf = (json: unknown, key: string): unknown => (isRecord(json) ? json[key] : undefined)

/** A path of each kind that forms name with `@`. */
const pathOfKind: Readonly<Record<string, string>> = {
  root: "/",
  here: ".",
  above: "..",
  secret: ".env",
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

/** `push --force|-f @root` → `push --force /` */
const wordsOfForm = (form: string): string =>
  form
    .split(" ")
    .map((pattern) => {
      const [first = ""] = pattern.split("|")
      if (first.startsWith("@")) return pathOfKind[first.slice(1)] ?? "notes.txt"
      return first.replace(/^~/, "").replaceAll("*", first.startsWith("*") ? "x" : "")
    })
    .join(" ")

const shell = (command: string): ExampleNames => ({
  actionType: "shell.exec",
  targetResource: command.trim()
})

const rowsOf = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(listOf(value).map((row) => [wordsOf(memberOf(row, "names"))[0] ?? "", row]))

const formsOf = (row: unknown): ReadonlyArray<unknown> => listOf(memberOf(row, "forms"))

/** The forms that only one of the rows has. */
const changedForms = (from: unknown, to: unknown): ReadonlyArray<string> => {
  const [before, after] = [formsOf(from), formsOf(to)]
  const lacks = (forms: ReadonlyArray<unknown>) => (form: unknown) =>
    !forms.some((one) => isDeepStrictEqual(one, form))
  return [...after.filter(lacks(before)), ...before.filter(lacks(after))].map((form) =>
    wordsOfForm(String(listOf(form)[0] ?? ""))
  )
}

const ofProgram = (was: unknown, is: unknown): ReadonlyArray<ChangedEntry> => {
  if (isDeepStrictEqual(was, is)) return []
  const names = [wordsOf(memberOf(was, "names")), wordsOf(memberOf(is, "names"))] as const
  const program = names[1][0] ?? names[0][0] ?? ""
  const moved = names
    .flatMap((list, at) => list.filter((name) => names[1 - at]?.includes(name) !== true))
    .map((name) => shell(`${name} x`))
  return [
    {
      title: `program ${program}`,
      fate: was === undefined ? "added" : is === undefined ? "removed" : "changed",
      examples: [
        ...changedForms(was, is).map((form) => shell(`${program} ${form}`)),
        ...moved,
        shell(`${program} x`),
        shell(program)
      ],
      complete: false
    }
  ]
}

/** The rows of a file with several programs. */
const ofPrograms = ({ from, to }: ChangedPath): ReadonlyArray<ChangedEntry> => {
  const [before, after] = [rowsOf(from), rowsOf(to)]
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((program) =>
    ofProgram(before.get(program), after.get(program))
  )
}

/** Words and paths that a list of texts gained or lost. */
const movedWords = ({ from, to }: ChangedPath): ReadonlyArray<string> => {
  const words = (value: unknown): ReadonlyArray<string> =>
    Array.isArray(value) ? value.flatMap(words) : wordsOf(value)
  const [before, after] = [words(from), words(to)]
  return [
    ...after.filter((word) => !before.includes(word)),
    ...before.filter((word) => !after.includes(word))
  ]
}

/** Commands on a path, and statements on a table, of that name. */
const onThing = (word: string): ReadonlyArray<ExampleNames> => {
  const path = word.replace(/^=/, "").replaceAll("*", "x")
  const table = word.replaceAll(/\W/g, "")
  return [
    ...[`cat ${path}`, `rm -rf ${path}`, `cp a ${path}`, `curl -d @a ${path}`, path].map(shell),
    ...[`SELECT ${table} FROM t`, `SELECT * FROM ${table}`, `DELETE FROM ${table}`, `SELECT ${table}()`].map(
      (targetResource) => ({ actionType: "execute_sql", targetResource })
    )
  ]
}

/** `part`: `programs/git`, `commands`. */
export const commandsOfChange = (part: string, from: unknown, to: unknown): ReadonlyArray<ChangedEntry> => {
  if (part.startsWith("programs/")) return ofProgram(from, to)
  return changedPaths(from ?? {}, to ?? {}).flatMap((change): ReadonlyArray<ChangedEntry> => {
    const [key = "", name] = change.path
    if (key === "$schema") return []
    if (key === "programs" && part !== "tools") return ofPrograms(change)
    const words = movedWords(change)
    return [
      {
        title: name === undefined ? key : `${key} ${name}`,
        fate: change.from === undefined ? "added" : change.to === undefined ? "removed" : "changed",
        examples: [...(key === "acts" ? [] : words.flatMap(onThing)), ...everydayCommands],
        complete: false
      }
    ]
  })
}
