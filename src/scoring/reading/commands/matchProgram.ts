/** Finds a program's entry by its name, and the form of the entry that fits the words of a call. */

import { type ActionClass, changeless } from "../../../domain/Action.ts"
import type { FormCondition, PreparedCommands, PreparedForm, PreparedProgram } from "./Commands.ts"
import type { CommandSession, Context } from "./Context.ts"
import { type ClassOf, type CommandWord, globFits, installedName, isOfClass, plainWord } from "./paths.ts"

const version = /[\d.]+$/
/** In the usual capitalization. `remove-thing` may be any script. */
export const cmdletName = /^[A-Z][a-z]+-[A-Z]\w*$/

/** The entry of a program. A project file that is named like a known program is a different program, unless the rules list `./name`. */
export const findProgram = (
  { commands, language }: Pick<CommandSession, "commands" | "language">,
  name: string
): PreparedProgram | undefined => {
  const { cmdlets, devicePrograms, programs, versioned } = commands
  const ofDevice = language === "device" ? devicePrograms.get(name.toLowerCase()) : undefined
  if (ofDevice !== undefined) return ofDevice
  const base = installedName(name)
  if (base === undefined) return programs.get(`./${name.slice(name.search(/[^/\\]*$/))}`)
  const unversioned = base.replace(version, "")
  const exact = programs.get(base) ?? (versioned.has(unversioned) ? programs.get(unversioned) : undefined)
  if (exact !== undefined) return exact
  const folded = programs.get(base.toLowerCase().replace(/\.(?:exe|cmd|bat)$/, ""))
  if (folded?.flags === "slash" || /\.(?:exe|cmd|bat)$/i.test(base)) return folded
  const cmdlet = cmdletName.test(base)
    ? cmdlets.find(({ glob }) => globFits(glob, base.toLowerCase()))?.program
    : undefined
  // A word that a shell over ssh does not know may be a command for a network device.
  return cmdlet ?? (language === "shell" ? devicePrograms.get(name) : undefined)
}

/** The words after a program's name, sorted into flags and operands. */
export interface Arguments {
  /** Each flag, with its values if it has any. `-rf` gives `-rf`, `-r` and `-f`. */
  readonly flags: ReadonlyMap<string, ReadonlyArray<CommandWord>>
  readonly operands: ReadonlyArray<CommandWord>
  /** For each operand, its index among all words. */
  readonly places: ReadonlyArray<number>
  /** The index of the first word after `--`; undefined without `--`. */
  readonly afterDashes: number | undefined
  /** Indexes of operands that follow a flag that may or may not take a value: `-r repo forget`. */
  readonly perhapsValues: ReadonlyArray<number>
}

/** A program call: all words after the program's name, and the same words sorted into flags and operands. */
export interface ProgramCall {
  readonly context: Context
  readonly program: PreparedProgram
  readonly words: ReadonlyArray<CommandWord>
  readonly given: Arguments
}

/** Whether the operands begin with these words. A word may list alternatives or be a pattern: `exec|run *`. */
export const beginWith = (operands: ReadonlyArray<CommandWord>, path: ReadonlyArray<string>): boolean =>
  path.every((names, i) => {
    const word = operands[i]?.value
    return word !== undefined && (names === "*" || names.split("|").includes(word))
  })

/** The arguments of a program with a single operand, such as a pseudo-program and its file. */
export const onlyOperand = (word: CommandWord): Arguments => ({
  flags: new Map(),
  operands: [word],
  places: [0],
  afterDashes: undefined,
  perhapsValues: []
})

/** On Windows, a quote after a backslash becomes part of the path, which then differs from the one that the caller meant. */
const windowsOperand = (word: CommandWord): CommandWord =>
  word.raw.includes('\\"') ? { ...word, value: "", dynamicFrom: 0 } : { ...word, value: word.raw }

/** The number of uncertain values that are tried. */
const perhapsValuesMax = 4

const slashFlag = /^(?:\/[a-z?]{1,16}(?::|$)|-[a-z])/

type AddFlag = (flag: string, value?: string) => void

/** The flags that a long flag can abbreviate: `--rec` is `--recursive`. An exact name abbreviates no other flag. */
const meantBy = (name: string, { longFlags, switches, values }: PreparedProgram): ReadonlyArray<string> =>
  !name.startsWith("--") || name.length < 3 || values.has(name) || switches.has(name)
    ? []
    : longFlags.filter((flag) => flag.startsWith(name))

/** `-sFname=@x` means `-s -F name=@x`. Undefined if no letter takes the rest of the word as its value. */
const readCluster = (
  text: string,
  { values }: PreparedProgram,
  add: AddFlag
): { readonly open: string | undefined } | undefined => {
  const at = Array.from(text).findIndex((letter, i) => i > 0 && values.has(`-${letter}`))
  const letters = at === -1 ? text : text.slice(0, at)
  if (at === -1 && text.includes("=")) return undefined
  for (let i = 1; i < letters.length; i++) add(`-${letters[i]}`)
  if (at === -1) return { open: undefined }
  const flag = `-${text[at]}`
  if (at === text.length - 1) return { open: flag }
  add(flag, text.slice(at + 1).replace(/^=/, ""))
  return { open: undefined }
}

/** Adds the flags in one word. Returns the flag whose value is the next word, if any. */
const flagsOfWord = (text: string, program: PreparedProgram, add: AddFlag): string | undefined => {
  const separator = program.flags === "slash" ? text.search(/[:=]/) : text.indexOf("=")
  const name = separator > 0 ? text.slice(0, separator) : text
  if (separator < 0 && program.values.has(text)) return text
  const mayCluster = program.flags === "cluster" && /^-[^-]./.test(text) && !program.values.has(name)
  if (separator < 0) add(text)
  const cluster = mayCluster ? readCluster(text, program, add) : undefined
  if (cluster !== undefined) return cluster.open
  const meant = meantBy(name, program)
  if (separator > 0) {
    for (const flag of [name, ...meant]) add(flag, text.slice(separator + 1))
    return undefined
  }
  const [only] = meant
  if (meant.length === 1 && only !== undefined && program.values.has(only)) return only
  for (const flag of meant) add(flag)
  return undefined
}

export const readProgramArguments = (
  program: PreparedProgram,
  words: ReadonlyArray<CommandWord>,
  /** 1 stops at the first operand: the words after it belong to the inner command. */
  operandsMax = Infinity
): Arguments => {
  const flags = new Map<string, Array<CommandWord>>()
  const operands: Array<CommandWord> = []
  const places: Array<number> = []
  let afterDashes: number | undefined
  const perhapsValues: Array<number> = []
  let isOpen = false
  // For cmdlets, flags always begin with a hyphen: in `Remove-Item /etc`, `/etc` is a folder.
  const isFlag = (text: string) =>
    program.flags === "slash" && !program.name.includes("-")
      ? slashFlag.test(text)
      : text.startsWith("-") && (text.length > 1 || program.switches.has(text))
  const add = (flag: string, value?: CommandWord) => {
    const values = flags.get(flag) ?? []
    if (value !== undefined) values.push(value)
    flags.set(flag, values)
  }
  for (let i = 0; i < words.length && operands.length < operandsMax; i++) {
    const word = words[i] as CommandWord
    const folded =
      program.flags === "slash" ? word.raw.toLowerCase().replace(/^\/\/(?=[a-z])/, "/") : word.value
    if (afterDashes === undefined && folded === "--") {
      afterDashes = i + 1
      add("--")
    } else if (afterDashes === undefined && isFlag(folded)) {
      // The value of `--data=$(cat x)` has the flow of the whole word.
      const open = flagsOfWord(folded, program, (flag, value) =>
        add(flag, value === undefined ? undefined : { ...word, value, raw: value })
      )
      if (open !== undefined) add(open, words[++i] ?? plainWord(""))
      isOpen =
        open === undefined &&
        !program.switches.has(folded) &&
        !folded.includes("=") &&
        !folded.startsWith("--no-")
    } else {
      if (isOpen && perhapsValues.length < perhapsValuesMax) perhapsValues.push(operands.length)
      isOpen = false
      operands.push(program.flags === "slash" ? windowsOperand(word) : word)
      places.push(i)
    }
  }
  return { flags, operands, places, afterDashes, perhapsValues }
}

const isOfAny = (pathClass: string, classes: ReadonlyArray<string>) =>
  classes.some((one) => isOfClass(pathClass, one))

const anyFits = (globs: ReadonlyArray<string>, text: string) => globs.some((glob) => globFits(glob, text))

const switchedOff = /^(?:false|none|no|off|0)$/i

const flagGiven = (condition: Extract<FormCondition, { kind: "flag" }>, given: Arguments["flags"]): boolean =>
  condition.denials?.some((flag) => given.has(flag)) !== true &&
  condition.flags.some((flag) => {
    const values = given.get(flag)
    if (values === undefined) return false
    if (condition.denials !== undefined && values.some(({ value }) => switchedOff.test(value))) return false
    // `--dry-run=none` is not a dry run.
    if (condition.values.length === 0 && values.length > 0)
      return !values.every(({ value }) => switchedOff.test(value))
    return condition.values.length === 0 || values.some(({ value }) => anyFits(condition.values, value))
  })

/** Matches the revision in `HEAD:.env`, but not the beginning of a URL or of a copy to another host. */
const behindRevision = /^(?!\w+:\/\/|[\w.-]+@)[\w./@^~{}-]*:(?=[^/:])/

const formFits = (
  form: PreparedForm,
  { flags, operands }: Arguments,
  { flags: kind, refs }: PreparedProgram,
  classOf: ClassOf
): boolean => {
  const fold = kind === "slash"
  const textOf = (word: CommandWord) => (fold ? word.value.toLowerCase() : word.value)
  const pathOf = (word: CommandWord) =>
    refs ? { ...word, value: word.value.replace(behindRevision, "") } : word
  const rest = operands.slice(form.pathLength)
  let place = 0
  const classFits = (classes: ReadonlyArray<string>) => (word: CommandWord | undefined) =>
    word !== undefined &&
    (isOfAny(classOf(pathOf(word)), classes) || (classes.includes("several") && /[*?]/.test(word.value)))
  return form.conditions.every((condition) => {
    switch (condition.kind) {
      case "path": {
        const word = operands[place++]
        return word !== undefined && anyFits(condition.globs, textOf(word))
      }
      case "flag":
        return flagGiven(condition, flags) !== condition.not
      case "operand":
        return rest.some((word) => anyFits(condition.globs, textOf(word))) !== condition.not
      case "end":
        return rest.length === 0
      case "class": {
        const fits = classFits(condition.classes)
        if (condition.which === "first") return fits(rest[0])
        if (condition.which === "last") return fits(rest.at(-1))
        return condition.which === "some" ? rest.some(fits) : rest.length > 0 && rest.every(fits)
      }
    }
  })
}

/** The first form that fits; undefined if none does. */
export const findForm = (
  program: PreparedProgram,
  given: Arguments,
  classOf: ClassOf
): PreparedForm | undefined => program.forms.find((form) => formFits(form, given, program, classOf))

/** The lexicon entry of a form: its program and words as written in the file. */
export const lineOf = (program: PreparedProgram, { of = program.name, words }: PreparedForm): string =>
  words === "" ? of : `${of} ${words}`

/** The acts of a call if some of its operands are really values of flags: `velero -n prod backup delete x`. */
export const formsBehindValues = (
  program: PreparedProgram,
  given: Arguments,
  classOf: ClassOf
): ReadonlyArray<PreparedForm> => {
  const { operands, perhapsValues } = given
  const readings = [
    ...perhapsValues.map((_, i) => perhapsValues.slice(0, i + 1)),
    ...perhapsValues.slice(1).map((place) => [place])
  ]
  return readings.flatMap((values) => {
    const others = operands.filter((_, place) => !values.includes(place))
    const form = findForm(program, { ...given, operands: others }, classOf)
    return form === undefined || form.pathLength === 0 ? [] : [form]
  })
}

/** A name that an installed program could have. A file, or a name with an extension, may be anything. */
const plainName = /^[a-z][\w-]*$/i

const deleting: ReadonlySet<ActionClass> = new Set<ActionClass>(["delete", "destroy"])

/**
 * The act named by the words after a program without an entry: `acmectl tenants purge`. A word that exists only at run time names nothing.
 */
export const formOfUnlisted = (
  { unlisted }: PreparedCommands,
  name: CommandWord,
  words: ReadonlyArray<CommandWord>,
  classOf: ClassOf
): PreparedForm | undefined => {
  if (name.dynamicFrom === undefined && !plainName.test(name.value)) return undefined
  const given = readProgramArguments(unlisted, words)
  const form = findForm(unlisted, given, classOf)
  if (form === undefined || deleting.has(form.act.class)) return form
  const verbs = [name, ...given.operands.slice(0, form.pathLength)]
  return verbs.every(({ dynamicFrom }) => dynamicFrom === undefined) ? form : undefined
}

/** Whether a form lists the first `length` operands as words in these positions. */
const lists = ({ conditions }: PreparedForm, { operands }: Arguments, length: number): boolean => {
  const path = conditions.filter((condition) => condition.kind === "path")
  return (
    path.length >= length &&
    path.slice(0, length).every(({ globs }, i) => {
      const text = operands[i]?.value ?? ""
      return globs.some((glob) => glob !== "*" && globFits(glob, text))
    })
  )
}

/** A word that may be a verb. */
const verbLike = /^[a-z][a-z\d:-]*$/

/**
 * The index of the first operand that no form lists, at a position where other forms name changes. A word that exists only at run time may
 * be any of those. Undefined if the form that fits lists the word, or if it is the value of a flag.
 */
const placeOfUnlisted = (
  { forms }: PreparedProgram,
  { pathLength }: PreparedForm,
  given: Arguments
): number | undefined => {
  const { operands, perhapsValues } = given
  let listed = forms
  let place = 0
  for (; operands[place] !== undefined && operands[place]?.dynamicFrom !== 0; place++) {
    const further = listed.filter((form) => lists(form, given, place + 1))
    if (further.length === 0) break
    listed = further
  }
  const word = operands[place]
  if (word === undefined || place < pathLength || perhapsValues.includes(place)) return undefined
  const namesDeed = word.dynamicFrom === 0 || verbLike.test(word.value)
  const changes = listed.some((form) => form.pathLength > place && !changeless.has(form.act.class))
  return namesDeed && changes ? place : undefined
}

/**
 * The deed that the words of a call name although the program's entry does not list them: `influx bucket delete`, `velero backup
 * obliterate`. Undefined if the entry lists them, or if they name no change.
 */
export const deedUnlisted = (
  { unlisted }: PreparedCommands,
  program: PreparedProgram,
  form: PreparedForm,
  given: Arguments,
  classOf: ClassOf
): PreparedForm | "unknown" | undefined => {
  const { act, conditions } = form
  const place = changeless.has(act.class) ? placeOfUnlisted(program, form, given) : undefined
  if (place !== undefined) {
    const named = findForm(unlisted, { ...given, operands: given.operands.slice(place) }, classOf)
    if (named === undefined) return "unknown"
    return deleting.has(named.act.class) ? named : named.act.impact === "moderate" ? undefined : "unknown"
  }
  const { forms, role, runs } = program
  if (conditions.length > 0 || act.impact === "low") return undefined
  if (role !== undefined || runs !== undefined || !forms.some(({ pathLength }) => pathLength > 0))
    return undefined
  const named = findForm(unlisted, given, classOf)
  return named !== undefined && deleting.has(named.act.class) ? named : undefined
}

const helpWords = new Set(["--help", "--version", "-version", "-V", "version", "help"])

/**
 * `git --version`, `kubectl delete --help`: only shows information about the program. False for programs that run whatever their words
 * name.
 */
export const asksForHelp = (
  program: PreparedProgram,
  words: ReadonlyArray<CommandWord>,
  runsOther: boolean
): boolean => {
  const isHelp = ({ raw, value }: CommandWord): boolean =>
    value === "--help" || (program.flags === "slash" && raw === "/?")
  const [first] = words
  if (words.length === 1 && first !== undefined && (helpWords.has(first.value) || isHelp(first))) return true
  if (runsOther || program.role !== undefined) return false
  if (program.helpFirst && words.some(({ value }) => !value.startsWith("-"))) return false
  if (program.values.has(words.at(-2)?.value ?? "")) return false
  const last = words.at(-1)
  return words.length <= 4 && last !== undefined && isHelp(last) && !words.some(({ value }) => value === "--")
}
