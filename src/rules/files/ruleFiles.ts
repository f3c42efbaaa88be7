/** Factor and typology files: their schemas, and the reader that turns the files of a release into a rule set. */

import { Result, Schema, Struct } from "effect"
import { factorCategories } from "../../domain/Opinion.ts"
import { isRecord } from "../../json/json.ts"
import { rulesPerSetMax } from "../../limits.ts"
import { factKinds } from "../../scoring/Facts.ts"
import {
  type FileProblem,
  type Finding,
  findingsOf,
  inFile,
  type Read,
  readEvery,
  succeedUnless
} from "../Finding.ts"
import {
  bySeverity,
  type Condition,
  type FactorRule,
  isFactName,
  type Rule,
  type RuleSet,
  type TypologyRule
} from "../language/Rule.ts"
import { type Permissions, readCondition } from "../language/readCondition.ts"
import { didYouMean } from "../nearestName.ts"
import { decodeFile } from "./decodeFile.ts"
import type { RuleFiles, SourceFile } from "./readTree.ts"
import { statedText } from "./releaseDocument.ts"
import {
  BasisPoints,
  Code,
  fileStruct,
  Lifecycle,
  Points,
  Sentence,
  SeverityName,
  Slug
} from "./vocabulary.ts"

/** A rule whose event has no parameters. */
export const PlainRuleFile = fileStruct({
  name: Sentence,
  conditions: Schema.Unknown,
  event: fileStruct({ type: Code })
})

/** A rule of a factor: its event contains the severity, and the hazard if it differs from the factor's. */
const FactorRuleFile = fileStruct({
  name: Sentence,
  conditions: Schema.Unknown,
  event: fileStruct({
    type: Code,
    params: fileStruct({ severity: SeverityName, hazardBp: Schema.optionalKey(BasisPoints) })
  })
})

/** `rules/factors/<category>/<CODE>.json`: one named reason why an action is risky. */
export const FactorFile = fileStruct({
  code: Code.annotate({ description: "Its name in answers, and the name of the file." }),
  category: Schema.Literals(factorCategories).annotate({
    description: "The folder that the file is in."
  }),
  lifecycle: Lifecycle,
  why: Sentence.annotate({ description: "The risk, in one sentence." }),
  misses: Sentence.annotate({ description: "Risks that this factor cannot see." }),
  message: Sentence.annotate({
    description: "The text that answers show; a fact name in braces stands for its figure."
  }),
  assumedMessage: Schema.optionalKey(
    Sentence.annotate({
      description: "The text that answers show instead if the factor rests on an assumption."
    })
  ),
  about: Schema.optionalKey(
    Slug.annotate({
      description:
        "The subject of its message. If several factors share a subject, an answer shows only the most severe; the others still count."
    })
  ),
  statedOnly: Schema.optionalKey(
    Schema.Boolean.annotate({
      description:
        "It is about what the caller stated, so answers do not show it if it rests on an assumption. It still counts in the score."
    })
  ),
  expects: Schema.optionalKey(
    Sentence.annotate({
      description: "One sentence on what the reader of an answer is expected to do."
    })
  ),
  recommendations: Schema.Array(Code).annotate({
    description: "Recommendations for the reader of an answer; rules/recommendations.json explains each."
  }),
  hazardBp: BasisPoints.annotate({
    description: "The default hazard of its rules, in basis points."
  }),
  rules: Schema.Array(FactorRuleFile)
    .check(Schema.isMinLength(1))
    .annotate({ description: "If several hold, the highest severity counts." })
})

/** `rules/typologies/<name>.json`: a named combination of facts that puts a floor under the score. */
export const TypologyFile = fileStruct({
  name: Slug,
  title: Sentence,
  lifecycle: Lifecycle,
  why: Sentence.annotate({ description: "The risk, in one sentence." }),
  misses: Sentence.annotate({ description: "Risks that this typology cannot see." }),
  message: Sentence.annotate({
    description: "The text that answers show; a fact name in braces stands for its figure."
  }),
  about: Schema.optionalKey(
    Slug.annotate({
      description:
        "The subject of its message. If several typologies share a subject, the reasons name the one with the highest floor."
    })
  ),
  floor: Points.annotate({ description: "No action that matches scores lower." }),
  rules: Schema.Tuple([PlainRuleFile])
})

const namedRules = (
  sources: ReadonlyArray<SourceFile>,
  rules: ReadonlyArray<ReadonlyArray<Rule<unknown>>>
): ReadonlyArray<NamedRule> =>
  sources.flatMap(({ file }, i) => (rules[i] ?? []).map(({ name }, index) => ({ name, file, index })))

/** Reads the factor and typology files of a release into one rule set. */
export const readRules = (files: RuleFiles): Read<RuleSet> => {
  const read = {
    factors: readEvery(files.factors.map(readFactor)),
    typologies: readEvery(files.typologies.map(readTypology))
  }
  return Result.all(read).pipe(
    Result.mapError(() => Object.values(read).flatMap<Finding>(findingsOf)),
    Result.flatMap(({ factors, typologies }) => {
      const set = { factors: factors.flat(), typologies: typologies.flat() }
      const findings = [
        ...checkRuleNames([
          ...namedRules(files.factors, factors),
          ...namedRules(files.typologies, typologies)
        ]),
        ...inFile(files.ruleset.file, checkNumber(set.factors.length + set.typologies.length))
      ]
      return succeedUnless(findings, () => set)
    })
  )
}

/** Invariant: a more severe rule never has less hazard than a milder one; otherwise raising a field could lower a score. */
const checkHazards = (rules: ReadonlyArray<FactorRule>): ReadonlyArray<FileProblem> => {
  const mildestFirst = rules
    .map((rule, index) => ({ index, ...rule }))
    .toSorted((a, b) => bySeverity(b.match, a.match))
  return mildestFirst.flatMap(({ index, match, name }, i): ReadonlyArray<FileProblem> => {
    const milder = mildestFirst[i - 1]
    if (milder === undefined || milder.match.severity === match.severity) return []
    if (milder.match.hazardBp <= match.hazardBp) return []
    const message = `hazard_bp falls while severity rises: \`${name}\` carries ${match.hazardBp}, the milder \`${milder.name}\` ${milder.match.hazardBp}`
    return [{ rule: "hazard-falls", path: ["rules", index, "event", "params"], message }]
  })
}

/**
 * Reads a rule file. `read` builds its rules from the conditions, which are indexed as in the file and null if unreadable, and finds
 * problems that no schema finds. Problems in conditions are reported even if the rest of the file is unreadable.
 */
export const readRuleFile = <S extends Schema.ConstraintDecoder<unknown>, A>(
  schema: S,
  source: SourceFile,
  permissions: Permissions,
  read: (
    file: S["Type"],
    conditions: ReadonlyArray<Condition | null>
  ) => { readonly rules: A; readonly problems: ReadonlyArray<FileProblem> }
): Read<A> => {
  const { file, json } = source
  const rules: ReadonlyArray<unknown> = isRecord(json) && Array.isArray(json["rules"]) ? json["rules"] : []
  const conditions = rules.map((rule, i) =>
    isRecord(rule) && "conditions" in rule
      ? readCondition(rule["conditions"], permissions, ["rules", i, "conditions"])
      : { condition: null, problems: [] }
  )
  const inConditions = conditions.flatMap(({ problems }) => problems)
  return decodeFile(schema, source).pipe(
    Result.mapError((findings) => [...findings, ...inFile(file, inConditions)]),
    Result.flatMap((content) => {
      const made = read(
        content,
        conditions.map(({ condition }) => condition)
      )
      return succeedUnless(inFile(file, [...made.problems, ...inConditions]), () => made.rules)
    })
  )
}

/** Reads a factor file into the rules that can raise the factor. */
export const readFactor = (source: SourceFile): Read<ReadonlyArray<FactorRule>> => {
  const completeness = statedText(source.json, "category") === "completeness"
  return readRuleFile(FactorFile, source, { raises: true, completeness }, (file, conditions) => {
    const told = Struct.pick(file, ["message", "assumedMessage", "about", "statedOnly"])
    const { category, code, recommendations } = file
    const rules = file.rules.flatMap(({ name, event: { params } }, i): ReadonlyArray<FactorRule> => {
      const condition = conditions[i] ?? null
      const { severity, hazardBp = file.hazardBp } = params
      const match = { code, category, severity, ...told, recommendations, hazardBp }
      return condition === null ? [] : [{ name, condition, match }]
    })
    const events = file.rules.map(({ event }) => event.type)
    const problems = [
      ...checkName("code", code, source.name, events),
      ...checkFolder("category", category, source.folder),
      ...checkMessage(file.message),
      ...checkMessage(file.assumedMessage ?? "", "assumed_message"),
      ...checkHazards(rules)
    ]
    return { rules, problems }
  })
}

/** Reads a typology file into its one rule. */
export const readTypology = (source: SourceFile): Read<ReadonlyArray<TypologyRule>> =>
  readRuleFile(TypologyFile, source, { raises: true, completeness: false }, (file, [condition = null]) => {
    const [rule] = file.rules
    const match = Struct.pick(file, ["name", "message", "floor", "about"])
    return {
      rules: condition === null ? [] : [{ name: rule.name, condition, match }],
      problems: [
        ...checkName("name", file.name, source.name, [rule.event.type]),
        ...checkMessage(file.message)
      ]
    }
  })

/** A file is named after its content, so that a reviewer can find one from the other. */
const misnamed = (path: FileProblem["path"], message: string, suggestion: string): FileProblem => ({
  rule: "misnamed-file",
  path,
  message,
  suggestion
})

export const checkFolder = (field: string, stated: string, folder: string): ReadonlyArray<FileProblem> =>
  stated === folder ? [] : [misnamed([field], `\`${stated}\` is in a folder named \`${folder}\``, folder)]

/** Both `bulk-export` and `BULK_EXPORT` give `BULK_EXPORT`. */
const eventTypeOf = (name: string): string => name.toUpperCase().replaceAll("-", "_")

/** Compares the name in a file with the file name, then the events of its rules with that name. If the name is wrong, reports only that. */
export const checkName = (
  field: string,
  stated: string,
  fileName: string,
  eventTypes: ReadonlyArray<string>
): ReadonlyArray<FileProblem> => {
  if (stated !== fileName) {
    return [misnamed([field], `\`${stated}\` is in a file named \`${fileName}\``, fileName)]
  }
  const expected = eventTypeOf(stated)
  return eventTypes.flatMap((type, i) =>
    type === expected
      ? []
      : [
          misnamed(
            ["rules", i, "event", "type"],
            `the event is named \`${type}\`, but the rule raises \`${expected}\``,
            expected
          )
        ]
  )
}

/** A message may only use placeholders of existing facts. */
const checkMessage = (message: string, key = "message"): ReadonlyArray<FileProblem> =>
  [...message.matchAll(/\{([^}]*)\}/g)].flatMap(([placeholder, name = ""]): ReadonlyArray<FileProblem> => {
    if (isFactName(name)) return []
    const { hint, suggested } = didYouMean(name, Object.keys(factKinds))
    return [
      {
        rule: "unknown-placeholder",
        path: [key],
        message: `\`${placeholder}\` is not a fact${hint}`,
        ...suggested
      }
    ]
  })

/** A rule's name and location. `index`: its index in the file's `rules`. */
interface NamedRule {
  readonly name: string
  readonly file: string
  readonly index: number
}

export const checkNumber = (rules: number): ReadonlyArray<FileProblem> =>
  rules > rulesPerSetMax
    ? [
        {
          rule: "too-many-rules",
          path: [],
          message: `a set has at most ${rulesPerSetMax} rules, not ${rules}`
        }
      ]
    : []

/** Rule names must be unique within a set. */
export const checkRuleNames = (rules: ReadonlyArray<NamedRule>): ReadonlyArray<Finding> => {
  const first = new Map<string, NamedRule>()
  const findings: Array<Finding> = []
  for (const rule of rules) {
    const earlier = first.get(rule.name)
    if (earlier === undefined) first.set(rule.name, rule)
    else {
      findings.push({
        rule: "duplicate-rule",
        file: rule.file,
        path: ["rules", rule.index, "name"],
        message: `\`${rule.name}\` already names a rule in ${earlier.file}`
      })
    }
  }
  return findings
}
