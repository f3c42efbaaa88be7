/** Loads the working files, or a frozen release, as a model that is ready to score. */

import { Result, SemVer } from "effect"
import { join } from "node:path"
import { type Finding, findingsOf, type LintId, type Read } from "../Finding.ts"
import { CurrenciesFile, toCurrencies } from "../files/CurrenciesFile.ts"
import { decodeFile } from "../files/decodeFile.ts"
import { markFrozen } from "../files/decodeFrozen.ts"
import { entriesOf, readRuleTree, type Root, type RuleFiles } from "../files/readTree.ts"
import { draftDigest, releaseFiles } from "../files/releaseDocument.ts"
import { readRules } from "../files/ruleFiles.ts"
import type { RuleSet } from "../language/Rule.ts"
import { compileRules } from "../language/compile.ts"
import { lockFile, lockProblem, openFrozen, readDigests } from "./frozen.ts"
import { prepareModel } from "./prepareModel.ts"
import type { RiskModel } from "../../scoring/RiskModel.ts"

export const loadDraft = (root: Root): Read<Prepared> =>
  Result.flatMap(readRuleTree(root), (files) => prepareRelease(files, draftDigest(files)))

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

/** Oldest first. Every entry with the name of a release counts, even a folder: opening it reports what is wrong. */
export const listReleases = (root: Root): ReadonlyArray<string> =>
  versionsIn(entriesOf(join(root, "rules", "releases")).map(({ name }) => name))

export const loadRelease = (root: Root, version: string): Read<Prepared> => {
  const file = `rules/releases/${version}.json`
  return openFrozen(root, file).pipe(
    Result.flatMap((json) => releaseFiles(file, version, json)),
    Result.flatMap((release) => ofLock(root, file, version, release)),
    Result.flatMap(({ digest, files }) => prepareRelease(files, digest))
  )
}

/** Currencies are decoded by their schema all the same: it makes exact numbers of their texts. */
const ofLock = (
  root: Root,
  file: string,
  version: string,
  release: { readonly files: RuleFiles; readonly digest: string }
): Read<typeof release> => {
  const refuse = (path: string, rule: LintId, message: string): Read<never> =>
    Result.fail([{ rule, file: path, path: [], message }])
  return Result.match(readDigests(root, "rules"), {
    onFailure: (message) => refuse(lockFile("rules"), "missing-release", `cannot be read: ${message}`),
    onSuccess: (digests) => {
      const problem = lockProblem(digests, version, release.digest)
      if (problem !== null) return refuse(file, "edited-release", problem)
      for (const { json } of [release.files.ruleset, ...release.files.lexicon]) markFrozen(json)
      return Result.succeed(release)
    }
  })
}

/** A release that is ready to score. */
export interface Prepared {
  readonly model: RiskModel
  /** The rules that the model's `match` was compiled from. */
  readonly rules: RuleSet
  /** The files that all of it was read from. */
  readonly files: RuleFiles
}

export const prepareRelease = (files: RuleFiles, digest: string): Read<Prepared> => {
  const model = prepareModel(files)
  const currencies = decodeFile(CurrenciesFile, files.currencies)
  const rules = readRules(files)
  return Result.all([model, currencies, rules]).pipe(
    Result.mapError(() => [model, currencies, rules].flatMap<Finding>(findingsOf)),
    Result.map(([parts, table, set]) => ({
      rules: set,
      files,
      model: { ...parts, digest, currencies: toCurrencies(table), match: compileRules(set) }
    }))
  )
}
