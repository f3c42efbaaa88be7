/** Prepares the ruleset and the lexicon of a release, or of the working files, for the score. */

import { Record, Result } from "effect"
import type { ClassNumbers } from "../../scoring/Numbers.ts"
import { prepareCatalogue } from "../../scoring/reading/Catalogue.ts"
import { prepareVocabulary } from "../../scoring/reading/Vocabulary.ts"
import { prepareSignals } from "../../scoring/reading/readArguments.ts"
import type { Lexicon } from "../../scoring/reading/callArguments.ts"
import { type Finding, findingsOf, type Read, succeedUnless } from "../Finding.ts"
import { RulesetFile } from "../files/RulesetFile.ts"
import { readProviders } from "../files/providerFiles.ts"
import { decodeFile } from "../files/decodeFile.ts"
import type { RuleFiles, SourceFile } from "../files/readTree.ts"
import { readWords, wordFileNames } from "../files/wordFiles.ts"
import { isCommandFile, readCommandFiles } from "../lexicon/commandFiles.ts"
import { prepareCommands, prepareCommandTools } from "../lexicon/prepareCommands.ts"
import type { RiskModel } from "../../scoring/RiskModel.ts"

const isRead = (source: SourceFile): boolean =>
  source.folder === "providers" ||
  (source.folder === "words" ? wordFileNames.has(source.name) : isCommandFile(source))

/** Invariant: each file is either read or reported. */
const unread = (sources: ReadonlyArray<SourceFile>): ReadonlyArray<Finding> =>
  sources
    .filter((source) => !isRead(source))
    .map(({ file }) => ({
      rule: "misplaced-file",
      file,
      path: [],
      message: "nothing reads a file of this place and name"
    }))

export const readLexiconData = (sources: ReadonlyArray<SourceFile>) =>
  Result.gen(function* () {
    yield* succeedUnless(unread(sources), () => undefined)
    const inFolder = (name: string) => sources.filter(({ folder }) => folder === name)
    const providers = yield* readProviders(inFolder("providers"))
    const commands = yield* readCommandFiles(sources.filter(isCommandFile))
    const words = yield* readWords(inFolder("words"))
    return { ...words, commands, providers }
  })

const prepareLexicon = (sources: ReadonlyArray<SourceFile>): Read<Lexicon> =>
  Result.map(
    readLexiconData(sources),
    ({ commands: commandsData, impacts, providers, signals, vocabulary }) => {
      const commands = prepareCommands(commandsData)
      return {
        vocabulary: prepareVocabulary(vocabulary),
        catalogue: prepareCatalogue(providers),
        impacts,
        signals: prepareSignals(signals),
        tools: prepareCommandTools(commandsData, commands),
        commands
      }
    }
  )

interface KnownLexicon {
  readonly sources: ReadonlyArray<SourceFile>
  readonly lexicon: WeakRef<Lexicon>
}

/** By the content of the first file, as long as a rulebook uses it. */
const lexicons = new WeakMap<object, ReadonlyArray<KnownLexicon>>()

const isSame = (a: ReadonlyArray<SourceFile>, b: ReadonlyArray<SourceFile>): boolean =>
  a.length === b.length &&
  a.every((one, i) => (["json", "name", "folder"] as const).every((key) => one[key] === b[i]?.[key]))

/** Once for the same contents: reading them is nearly all that preparing a release costs, and most changes are of rules and numbers. */
const readLexicon = (sources: ReadonlyArray<SourceFile>): Read<Lexicon> => {
  const first = sources[0]?.json
  if (typeof first !== "object" || first === null) return prepareLexicon(sources)
  const inUse = (lexicons.get(first) ?? []).filter(({ lexicon }) => lexicon.deref() !== undefined)
  const known = inUse.find((one) => isSame(one.sources, sources))?.lexicon.deref()
  if (known !== undefined) return Result.succeed(known)
  return Result.map(prepareLexicon(sources), (lexicon) => {
    lexicons.set(first, [...inUse, { sources, lexicon: new WeakRef(lexicon) }])
    return lexicon
  })
}

/** With every field in its place, also where the file leaves it out: engines read records of one shape fastest. */
const inOneShape = (own: ClassNumbers): ClassNumbers => ({
  category: own.category,
  harmless: own.harmless,
  egress: own.egress,
  dataLeaves: own.dataLeaves,
  countsGoTogether: own.countsGoTogether,
  reversibilityFloor: own.reversibilityFloor,
  alwaysChangesPrivilege: own.alwaysChangesPrivilege,
  entityEffectBp: own.entityEffectBp,
  dataEffectBp: own.dataEffectBp,
  moneyEffectBp: own.moneyEffectBp,
  askedMoneyEffectBp: own.askedMoneyEffectBp,
  weightBp: own.weightBp,
  undoneWeightBp: own.undoneWeightBp,
  privilegeBp: own.privilegeBp,
  factorBp: own.factorBp,
  references: { productionImpactFrom: undefined, ...own.references }
})

/** The parts of the model that are read from the ruleset and the lexicon. */
export const prepareModel = (files: RuleFiles): Read<Pick<RiskModel, "lexicon" | "numbers" | "version">> => {
  const ruleset = decodeFile(RulesetFile, files.ruleset)
  const lexicon = readLexicon(files.lexicon)
  return Result.all([ruleset, lexicon]).pipe(
    Result.mapError(() => [...findingsOf(ruleset), ...findingsOf(lexicon)]),
    Result.map(([{ version, ...numbers }, words]) => ({
      version,
      numbers: { ...numbers, classes: Record.map(numbers.classes, inOneShape) },
      lexicon: words
    }))
  )
}
