/** Parses acts and forms as written in command files (`branch.force_push write high anywhere`), prepares form conditions for the matcher, and tracks the entry that prepared knowledge was made from. */

import { Record as Records, Schema } from "effect"
import {
  actionClasses,
  changeless,
  type DataClassification,
  dataClassifications,
  reversibilities,
  type Reversibility
} from "../../domain/Action.ts"
import { type ActExtent, extents, type Impact, impacts } from "../../scoring/reading/Act.ts"
import type { FormCondition, PreparedForm } from "../../scoring/reading/commands/Commands.ts"
import type { CommandAct } from "../../scoring/reading/commands/CommandReading.ts"

/** The words of a list that a file writes as one text. */
export const wordsOf = (text = ""): ReadonlyArray<string> => text.split(" ").filter((word) => word !== "")

/** The same for members of a file: each named list, by its name. An absent list is empty. */
export const wordsAt = <Key extends string>(
  file: { readonly [K in Key]?: string },
  ...keys: ReadonlyArray<Key>
): { readonly [K in Key]: ReadonlyArray<string> } =>
  // The cast is safe: every key gets a list.
  Object.fromEntries(keys.map((key) => [key, wordsOf(file[key])])) as { [K in Key]: ReadonlyArray<string> }

export const setsAt = <Key extends string>(
  file: { readonly [K in Key]?: string },
  ...keys: ReadonlyArray<Key>
) => Records.map(wordsAt(file, ...keys), (words): ReadonlySet<string> => new Set(words))

const among = <A extends string>(list: ReadonlyArray<A>, word: string): word is A =>
  (list as ReadonlyArray<string>).includes(word)

const marks = ["anywhere", "credential", "weakens", "unread"] as const

const listed = (words: ReadonlyArray<string>): string => words.map((word) => `\`${word}\``).join(", ")

/** Throws on a word that is in none of the lists. */
export const parseAct = (text: string): CommandAct => {
  const [type = "", own = "", ...rest] = wordsOf(text)
  if (!type.includes("."))
    throw new Error(`An act cannot begin with \`${type}\`, expected \`<object>.<verb>\``)
  if (!among(actionClasses, own))
    throw new Error(`Unknown class \`${own}\`, expected one of ${listed(actionClasses)}`)
  let impact: Impact | undefined = changeless.has(own) ? "low" : undefined
  let extent: ActExtent = "single"
  let holds: DataClassification = "internal"
  let reversibility: Reversibility | undefined
  const marked = new Set<string>()
  for (const word of rest) {
    if (among(impacts, word)) impact = word
    else if (among(extents, word)) extent = word
    else if (among(dataClassifications, word)) holds = word
    else if (among(reversibilities, word)) reversibility = word
    else if (among(marks, word)) marked.add(word)
    else
      throw new Error(
        `Unknown word \`${word}\`, expected one of ${listed([...impacts, ...extents, ...dataClassifications, ...reversibilities, ...marks])}`
      )
  }
  if (impact === undefined) throw new Error(`\`${own}\` needs an impact: ${listed(impacts)}`)
  return {
    type,
    class: own,
    impact,
    others: [],
    extent,
    holds,
    anywhere: marked.has("anywhere"),
    credential: marked.has("credential"),
    weakens: marked.has("weakens"),
    remote: false,
    unread: marked.has("unread"),
    ...(reversibility === undefined ? {} : { reversibility })
  }
}

/** The message of the error that `read` throws, or true. */
export const faultOf = (read: () => unknown): true | string => {
  try {
    read()
    return true
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

/** Words separated by spaces. Some lists have several thousand characters. */
export const WordList = Schema.Trimmed.check(Schema.isNonEmpty())

export const FileLimit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))

/** Schemas for members of these files, each with the description that an editor shows: a list of words, an optional one, and a limit. */
export const wordList = (description: string) => WordList.annotate({ description })
export const optionalWords = (description: string) => Schema.optionalKey(WordList).annotate({ description })
export const fileLimit = (description: string) => FileLimit.annotate({ description })

export const ActText = Schema.String.check(
  Schema.makeFilter((text: string) => faultOf(() => parseAct(text)))
).annotate({
  description:
    "`<object>.<verb> <class>` and then, in any order: impact, extent, data classification, reversibility, `anywhere`, `credential`, `weakens`, `unread`. Low-impact classes leave the impact out: internal, simulate, read."
})

/** The program whose forms decide an act written as `as rm`. Undefined if the text is an act itself. */
export const otherProgram = (text: string): string | undefined => /^as (\S+)$/.exec(text)?.[1]

const FormAct = Schema.String.check(
  Schema.makeFilter((text: string) =>
    otherProgram(text) === undefined ? faultOf(() => parseAct(text)) : true
  )
).annotate({
  description: "An act, or `as rm`, which lets the forms of that program decide."
})

/**
 * One form of a program and what it does: `["push --force|-f ~main|master", "branch.force_push write high anywhere"]`.
 * The first form that fits decides, so the most specific form comes first. The form is a list of words, all of which must fit:
 *
 * - `push`: the next operand is this word. `|` separates alternatives, `*` stands for any characters.
 * - `-f|--force`: one of these flags is given. `!-n|--dry-run`: none of them is given. `--acl=public*,*read`: its value fits.
 * - `~main|master`: one of the further operands fits. `!~x`: none does.
 * - `@secret|data`: one of the further operands is a path of this class. `@@disposable`: all are, and there is one.
 * - `<remote`, `>remote`: the first, the last of the further operands has this class.
 * - `@several`: one of the further operands has a wildcard. `--`: it is given.
 * - `$`: there is no further operand.
 *
 * An act `as rm` hands the call to the forms of `rm`: `["-delete", "as rm"]`.
 */
export const Forms = Schema.Array(Schema.Tuple([Schema.Trimmed, FormAct])).annotate({
  description:
    "Each form with its act; the first form that matches decides. `push`: the next operand; `-f|--force`: one of these flags; `!-n`: none of them; `--acl=public*`: a flag's value; `~main`: one of the further operands; `@secret`: one of them is a path of this class; `@@disposable`: all are; `<remote`: the first is; `>remote`: the last is; `@several`: one has a wildcard; `$`: no further operand."
})
export type FormData = (typeof Forms.Type)[number]

/** The entry as decoded from its file, and the members of the prepared form that are read only if the entry decides. */
export interface Origin {
  readonly entry: object
  readonly effects: ReadonlyArray<PropertyKey>
}

/** The origin of everything made from an entry. */
export const origins = new WeakMap<object, Origin>()

/** `effects`: the members that are read only after the conditions of the entry hold. */
export const madeFrom = <A extends object>(
  entry: object,
  effects: ReadonlyArray<keyof A>,
  prepared: A
): A => {
  origins.set(prepared, { entry, effects })
  return prepared
}

const classWhich = { "@": "some", "@@": "all", "<": "first", ">": "last" } as const

const parseCondition = (word: string): FormCondition => {
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

/** A simulation is cancelled if its flag is also negated: `--dry-run --no-dry-run`, `--dry-run=client --dry-run=none`. */
const deniable = (condition: FormCondition): FormCondition =>
  condition.kind === "flag" && !condition.not
    ? { ...condition, denials: condition.flags.map((flag) => flag.replace(/^-+/, "--no-")) }
    : condition

/** The forms of each program, by its names. */
export type FormsOf = (program: string) => ReadonlyArray<FormData>

/** Prepares an entry, or for `as rm` the forms of `rm`, each with the conditions of the entry added. */
export const prepareForms = (forms: ReadonlyArray<FormData>, formsOf: FormsOf): ReadonlyArray<PreparedForm> =>
  forms.flatMap((data) => {
    const [form, text] = data
    const other = otherProgram(text)
    if (other === undefined) return [prepareForm(data)]
    const conditions = wordsOf(form).map(parseCondition)
    return formsOf(other).map((one): PreparedForm => {
      const prepared = prepareForm(one)
      return madeFrom<PreparedForm>(one, ["act"], {
        ...prepared,
        conditions: [...conditions, ...prepared.conditions],
        pathLength: pathLengthOf(conditions) + prepared.pathLength,
        of: other
      })
    })
  })

const pathLengthOf = (conditions: ReadonlyArray<FormCondition>): number =>
  conditions.filter(({ kind }) => kind === "path").length

export const prepareForm = (data: FormData): PreparedForm => {
  const [form, text] = data
  const act = parseAct(text)
  const conditions = wordsOf(form).map(parseCondition)
  return madeFrom<PreparedForm>(data, ["act"], {
    words: form,
    conditions: act.class === "simulate" ? conditions.map(deniable) : conditions,
    pathLength: pathLengthOf(conditions),
    act
  })
}
