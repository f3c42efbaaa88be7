/** Loads the working files, or a frozen release, as a model that is ready to score. */

import { Record, Result, SemVer } from "effect"
import { hash } from "node:crypto"
import { join } from "node:path"
import { type Finding, findingsOf, type LintId, type Read } from "../Finding.ts"
import { keepCompiled, openCompiled, reportMissing } from "../compiled/compiledFiles.ts"
import { CurrenciesFile, toCurrencies } from "../files/CurrenciesFile.ts"
import { RulesetFile } from "../files/RulesetFile.ts"
import { decodeFile } from "../files/decodeFile.ts"
import {
  digestOfFiles,
  entriesOf,
  packageRoot,
  readRuleTree,
  type Root,
  type RuleFiles
} from "../files/readTree.ts"
import { releaseFiles } from "../files/releaseDocument.ts"
import { readRules } from "../files/ruleFiles.ts"
import type { RuleSet } from "../language/Rule.ts"
import { compileRules } from "../language/compile.ts"
import { openLexicon, readLexicon } from "../lexicon/readLexicon.ts"
import { lockFile, lockProblem, openFrozen, parseFrozen, readDigests, readFrozen } from "./frozen.ts"
import type { ClassNumbers } from "../../scoring/Numbers.ts"
import type { RiskModel } from "../../scoring/Model.ts"

/** Only installed rules are compiled for the next process, because copies of the rules come and go. */
const isInstalled = (root: Root): boolean => root === packageRoot

export const loadDraft = (root: Root): Read<Prepared> =>
  Result.flatMap(
    readRuleTree(root, (lexicon) => openLexicon(lexicon) !== undefined),
    (files) => prepareRelease(files, digestOfDraft(files), isInstalled(root))
  )

/** Identifies working files, which have no version or date until they are released. */
const digestOfDraft = ({ currencies, factors, lexicon, ruleset, typologies }: RuleFiles): string =>
  digestOfFiles([ruleset, currencies, ...lexicon, ...factors, ...typologies])

/** The versions in file names of the form `<prefix><version>.json`, oldest first. */
export const versionsIn = (names: ReadonlyArray<string>, prefix = ""): ReadonlyArray<string> =>
  names
    .filter((name) => name.startsWith(prefix) && name.endsWith(".json"))
    .flatMap((name) =>
      Result.match(SemVer.parse(name.slice(prefix.length, -".json".length)), {
        onFailure: () => [],
        onSuccess: (version) => [version]
      })
    )
    .toSorted(SemVer.Order)
    .map(SemVer.format)

/** Oldest first. Every entry named like a release counts, even a folder: opening it reports what is wrong. */
export const listReleases = (root: Root): ReadonlyArray<string> =>
  versionsIn(entriesOf(join(root, "rules", "releases")).map(({ name }) => name))

/** The files of a release, and its digest. */
export const openReleaseFiles = (root: Root, version: string) => {
  const file = `rules/releases/${version}.json`
  return Result.flatMap(openFrozen(root, file), (json) => releaseFiles(file, version, json))
}

/** The compiled form of a release. Its rules are compiled to closures at each start, and its files are read on first use. */
export interface CompiledRelease extends Pick<RiskModel, "currencies" | "digest" | "numbers" | "version"> {
  readonly rules: RuleSet
  /** The digest of the lexicon files, under which the lexicon is compiled. */
  readonly lexicon: string
}

export const compiledForm = ({ files, model, rules }: Prepared): CompiledRelease => ({
  version: model.version,
  digest: model.digest,
  numbers: model.numbers,
  currencies: model.currencies,
  rules,
  lexicon: digestOfFiles(files.lexicon)
})

/** Invariant: a compiled form exists only for bytes that have been read as a release before, and only these bytes find it. */
const openCompiledRelease = (file: string, version: string, bytes: Buffer): Prepared | undefined => {
  const compiled = openCompiled<CompiledRelease>("release", hash("sha256", bytes))
  if (compiled === undefined || compiled.version !== version) return undefined
  const lexicon = openLexicon(compiled.lexicon)
  if (lexicon === undefined) return undefined
  const { currencies, digest, numbers, rules } = compiled
  const read = () =>
    Result.flatMap(parseFrozen(file, bytes), (json) => releaseFiles(file, version, json)).pipe(
      Result.getOrThrow
    )
  let files: RuleFiles | undefined
  return {
    model: { version, digest, numbers, currencies, lexicon, match: compileRules(rules, numbers) },
    rules,
    get files() {
      return (files ??= read().files)
    }
  }
}

const readRelease = (root: Root, file: string, version: string, bytes: Buffer): Read<Prepared> => {
  const prepared = parseFrozen(file, bytes).pipe(
    Result.flatMap((json) => releaseFiles(file, version, json)),
    Result.flatMap(({ digest, files }) => prepareRelease(files, digest, isInstalled(root)))
  )
  if (isInstalled(root) && Result.isSuccess(prepared)) {
    const form = compiledForm(prepared.success)
    const digest = hash("sha256", bytes)
    if (version === listReleases(root).at(-1))
      reportMissing(file, [
        ["release", digest],
        ["lexicon", form.lexicon]
      ])
    keepCompiled("release", digest, form)
  }
  return prepared
}

export const loadRelease = (root: Root, version: string): Read<Prepared> => {
  const file = `rules/releases/${version}.json`
  return readFrozen(root, file).pipe(
    Result.flatMap((bytes) => {
      const compiled = openCompiledRelease(file, version, bytes)
      return compiled === undefined ? readRelease(root, file, version, bytes) : Result.succeed(compiled)
    }),
    Result.flatMap((release) => ofLock(root, file, version, release))
  )
}

/** Rejects a release whose digest differs from the lock, because it was edited. */
const ofLock = (root: Root, file: string, version: string, release: Prepared): Read<Prepared> => {
  const refuse = (path: string, rule: LintId, message: string): Read<never> =>
    Result.fail([{ rule, file: path, path: [], message }])
  return Result.match(readDigests(root, "rules"), {
    onFailure: (message) => refuse(lockFile("rules"), "missing-release", `cannot be read: ${message}`),
    onSuccess: (digests) => {
      const problem = lockProblem(digests, version, release.model.digest)
      return problem === null ? Result.succeed(release) : refuse(file, "edited-release", problem)
    }
  })
}

/** A release that is ready for scoring. */
export interface Prepared {
  readonly model: RiskModel
  /** The rules from which the model's `match` was compiled. */
  readonly rules: RuleSet
  /** The files from which everything was read. */
  readonly files: RuleFiles
}

/** Sets every optional field: engines are fastest on records of one shape. */
const inOneShape = (own: ClassNumbers): ClassNumbers => ({
  askedMoneyEffectBp: undefined,
  undoneWeightBp: undefined,
  factorBp: undefined,
  ...own,
  references: { productionImpactFrom: undefined, ...own.references }
})

/** `keep`: whether to store the compiled lexicon for the next process. */
export const prepareRelease = (files: RuleFiles, digest: string, keep = false): Read<Prepared> => {
  const ruleset = decodeFile(RulesetFile, files.ruleset)
  const lexicon = readLexicon(files.lexicon, keep)
  const currencies = decodeFile(CurrenciesFile, files.currencies)
  const rules = readRules(files)
  return Result.all([ruleset, lexicon, currencies, rules]).pipe(
    Result.mapError(() => [ruleset, lexicon, currencies, rules].flatMap<Finding>(findingsOf)),
    Result.map(([{ version, ...rest }, words, table, set]) => {
      const numbers = { ...rest, classes: Record.map(rest.classes, inOneShape) }
      return {
        rules: set,
        files,
        model: {
          version,
          digest,
          numbers,
          currencies: toCurrencies(table),
          lexicon: words,
          match: compileRules(set, numbers)
        }
      }
    })
  )
}
