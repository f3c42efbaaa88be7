/** `lexicon/arguments.json` and `lexicon/parameters/*.json`: what tool parameters mean, by their names and values. */

import { Result, Schema } from "effect"
import { actionClasses } from "../../domain/Action.ts"
import {
  codeLanguages,
  type ParameterConventions,
  type ParameterRole,
  parameterRoles,
  type ParameterRule,
  type PreparedParameters,
  type ValueTest
} from "../../scoring/reading/arguments/Parameters.ts"
import { valueShapes } from "../../scoring/reading/arguments/valueClasses.ts"
import { objectKinds } from "../../scoring/reading/Vocabulary.ts"
import type { Signal } from "../../scoring/reading/readArguments.ts"
import { type Finding, type Read, readEvery, succeedUnless } from "../Finding.ts"
import { decodeFile } from "../files/decodeFile.ts"
import { Flag, ImpactName, Why } from "../files/providerFiles.ts"
import { fileNamed, type SourceFile } from "../files/readTree.ts"
import { fileStruct, Sentence, someOf } from "../files/vocabulary.ts"
import { raisingFields } from "../files/wordFiles.ts"
import { fileLimit, madeFrom, optionalWords, setsAt, WordList, wordList, wordsOf } from "./actText.ts"

const roleNames = Object.keys(parameterRoles) as ReadonlyArray<ParameterRole>

export const ArgumentsFile = fileStruct({
  limits: fileStruct({
    nodesMax: fileLimit("Values and objects of one call that are examined; the rest is unread."),
    depthMax: fileLimit("How deep objects may be nested."),
    elementsMax: fileLimit("Elements of one list that are examined. The others are counted."),
    wordedMax: fileLimit("Values that are read word by word, and argument paths that an opinion reports."),
    valueMax: fileLimit("UTF-16 units of one value that are read word by word."),
    textMax: fileLimit("UTF-16 units of one value that are examined for its kind."),
    codesMax: fileLimit("Code strings, and verbs under keys for verbs, in one call."),
    codeMax: fileLimit("UTF-16 units of one code string.")
  }),
  wrappers: wordList("Parameters that hold all the others: `params`."),
  multiplexers: wordList("Verbs that leave the actual act to a parameter: `manage`."),
  pairs: Schema.Array(Schema.Tuple([Schema.NonEmptyString, Schema.NonEmptyString])).annotate({
    description: "Pairs of members that hold the name and the value of a setting."
  }),
  languages: someOf(codeLanguages, WordList).annotate({
    description: "The language of parameters with the role `code`. Absent: any."
  }),
  classes: Schema.Record(Schema.NonEmptyString, WordList).annotate({
    description: "Words of values, by class; `_` joins two words. Rules refer to a class as `@disposable`."
  })
})

const RuleFile = fileStruct({
  of: optionalWords("Names of parameters without punctuation, or their last words."),
  roles: optionalWords("Instead of names: the roles of the parameters that the rule is for."),
  is: optionalWords(
    "The value must be one of: `true`, `false`, a pattern with `*`, `>=9`, `<=9`, `#>=9` for a length, `@all` for a class."
  ),
  unless: optionalWords("Values that the rule excludes."),
  tools: optionalWords("Patterns for the words of the tool's name, joined by `_`."),
  classes: optionalWords("Classes of acts that it is for. Absent: all that affect anything."),
  verbs: optionalWords("Verbs that it is for."),
  unlessVerbs: optionalWords("Verbs that it is not for."),
  kinds: optionalWords("Kinds of objects that it is for."),
  exceptKinds: optionalWords("Kinds of objects that it is not for."),
  onlyProduction: Flag,
  outsideProduction: Flag,
  ...raisingFields,
  lowers: Flag.annotate({ description: "It makes the act milder: by `by` steps, and never below `to`." }),
  by: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 }))),
  to: Schema.optionalKey(ImpactName),
  why: Why
}).check(
  Schema.makeFilter(
    ({ of, roles }: { readonly of?: string; readonly roles?: string }) =>
      (of === undefined) !== (roles === undefined) || "expected either `of` or `roles`"
  )
)
type RuleData = typeof RuleFile.Type

export const ParametersFile = fileStruct({
  servers: optionalWords(
    "Words in the names of the servers or providers that this is for. Absent: any server."
  ),
  minorUnits: Flag.annotate({ description: "Amounts are in minor units: 5000 is 50.00." }),
  roles: Schema.optionalKey(someOf(roleNames, WordList)).annotate({
    description:
      "Names of parameters by role, without punctuation: `dryrun`. The last words of a name also match."
  }),
  rules: Schema.optionalKey(Schema.Array(RuleFile)),
  why: Sentence
})
type ParametersData = typeof ParametersFile.Type

export interface ParameterFiles {
  readonly general: typeof ArgumentsFile.Type
  readonly conventions: ReadonlyArray<ParametersData>
}

export const isParameterFile = ({ folder, name }: Pick<SourceFile, "folder" | "name">): boolean =>
  folder === "parameters" || (folder !== "providers" && folder !== "words" && name === "arguments")

const classNames = (rule: RuleData): ReadonlyArray<string> =>
  [...wordsOf(rule.is), ...wordsOf(rule.unless)].flatMap((word) =>
    word.startsWith("@") ? [word.slice(1)] : []
  )

/** Reports classes without a definition. */
const unknownClasses = (
  { file }: SourceFile,
  { rules = [] }: ParametersData,
  { classes }: typeof ArgumentsFile.Type
): ReadonlyArray<Finding> =>
  rules.flatMap((rule, at) =>
    classNames(rule).flatMap((name): ReadonlyArray<Finding> =>
      name in classes || valueShapes.has(name) || name.startsWith("path:")
        ? []
        : [
            {
              rule: "unknown-word",
              file,
              path: ["rules", at],
              message: `no class of values is named \`${name}\``
            }
          ]
    )
  )

export const readParameterFiles = (sources: ReadonlyArray<SourceFile>): Read<ParameterFiles> =>
  Result.gen(function* () {
    const inFolder = sources.filter(({ folder }) => folder === "parameters")
    const others = sources.filter(({ folder }) => folder !== "parameters")
    const general = yield* decodeFile(ArgumentsFile, yield* fileNamed(others, "arguments", "rules/lexicon"))
    const conventions = yield* readEvery(
      inFolder.map((source) =>
        Result.flatMap(decodeFile(ParametersFile, source), (data) =>
          succeedUnless(unknownClasses(source, data, general), () => data)
        )
      )
    )
    return { general, conventions }
  })

const testOf = (word: string): ValueTest => {
  if (word === "true" || word === "false") return { kind: word }
  if (word.startsWith("@")) return { kind: "class", name: word.slice(1) }
  const [, length, sign, figure] = /^(#)?([<>])=(-?[\d.]+)$/.exec(word) ?? []
  if (figure === undefined) return { kind: "text", glob: word }
  const kind = length === undefined ? "figure" : "length"
  return { kind, sign: sign === "<" ? "<" : ">", figure: Number(figure) }
}

const among = <A extends string>(list: ReadonlyArray<A>, text: string): ReadonlyArray<A> =>
  list.filter((name) => wordsOf(text).includes(name))
const spaced = (text: string | undefined) => wordsOf(text).map((word) => word.replaceAll("_", " "))

const signalOf = (rule: RuleData): Signal => {
  const { classes, exceptKinds, is: asked, kinds, of, roles, unlessVerbs, verbs, why = "", ...rest } = rule
  const { tools: _, unless: __, ...effects } = rest
  return {
    ...effects,
    id: `${of ?? roles} ${asked ?? ""}`,
    in: ["target_resource"],
    ...(classes === undefined ? {} : { classes: among(actionClasses, classes) }),
    ...(verbs === undefined ? {} : { verbs: spaced(verbs) }),
    ...(unlessVerbs === undefined ? {} : { unlessVerbs: spaced(unlessVerbs) }),
    ...(kinds === undefined ? {} : { kinds: among(objectKinds, kinds) }),
    ...(exceptKinds === undefined ? {} : { exceptKinds: among(objectKinds, exceptKinds) }),
    why
  }
}

const ruleOf = (data: RuleData): ParameterRule => ({
  keys: new Set(wordsOf(data.of)),
  roles: new Set(wordsOf(data.roles) as ReadonlyArray<ParameterRole>),
  is: wordsOf(data.is).map(testOf),
  unless: wordsOf(data.unless).map(testOf),
  tools: wordsOf(data.tools),
  // `lowers` of a signal is read only after its value fits.
  signal: madeFrom<Signal>(data, ["lowers"], signalOf(data))
})

const conventionsOf = ({
  minorUnits,
  roles = {},
  rules = [],
  servers
}: ParametersData): ParameterConventions => {
  const prepared = rules.map(ruleOf)
  const byKey = new Map<string, Array<ParameterRule>>()
  const byRole = new Map<ParameterRole, Array<ParameterRule>>()
  for (const rule of prepared) {
    for (const key of rule.keys) byKey.set(key, [...(byKey.get(key) ?? []), rule])
    for (const role of rule.roles) byRole.set(role, [...(byRole.get(role) ?? []), rule])
  }
  return {
    servers: new Set(wordsOf(servers)),
    minorUnits: minorUnits === true,
    roles: new Map(
      roleNames.flatMap((role) =>
        wordsOf(roles[role]).map((name): readonly [string, ParameterRole] => [name, role])
      )
    ),
    byKey,
    byRole
  }
}

/** Conventions of servers take precedence. */
export const prepareParameters = ({ conventions, general }: ParameterFiles): PreparedParameters => ({
  ...setsAt(general, "wrappers", "multiplexers"),
  limits: general.limits,
  pairs: general.pairs,
  languages: new Map(
    codeLanguages.flatMap((language) =>
      wordsOf(general.languages[language]).map((name) => [name, language] as const)
    )
  ),
  classes: new Map(Object.entries(general.classes).map(([name, text]) => [name, new Set(spaced(text))])),
  conventions: conventions
    .map(conventionsOf)
    .toSorted((a, b) => Number(a.servers.size === 0) - Number(b.servers.size === 0))
})
