/** `npm run rules:freeze -- <version>`: checks the working rules and policies and freezes what is not frozen yet. */

import { Result } from "effect"
import { packageRoot } from "./packageRoot.ts"
import { listPolicySets } from "./policies/loadPolicySet.ts"
import { preparePolicySet } from "./policies/PreparedPolicySet.ts"
import { prepareModel } from "./prepareModel.ts"
import { type Finding, renderFinding } from "./Problem.ts"
import { readPolicyTree, readRuleTree, type Root } from "./readTree.ts"
import { draftDigest, releaseDocument } from "./releaseDocument.ts"
import { verifyPolicies, verifyRules } from "./verify.ts"
import { type Written, writeFrozen } from "./freeze/writeFrozen.ts"

interface Freezing {
  readonly root: Root
  readonly releasedAt: string
  /** Only before the first landing: overwrites a release that nobody has seen. */
  readonly replaceUnreleased: boolean
}

interface Frozen {
  readonly file: string
  readonly outcome: Written
}

class Refused extends Error {}

const refuse = (findings: ReadonlyArray<Finding>): never => {
  throw new Refused(findings.map(renderFinding).join("\n"))
}

const differ = (file: string, differing: ReadonlyArray<string>): ReadonlyArray<Finding> =>
  differing.map((name) => ({ file, path: [], message: `the two evaluators differ on \`${name}\`` }))

export const freezeRules = async (version: string, freezing: Freezing): Promise<Frozen> => {
  const files = Result.getOrElse(readRuleTree(freezing.root), refuse)
  const { model, rules } = Result.getOrElse(prepareModel(files, draftDigest(files)), refuse)
  if (model.version !== version) {
    refuse([{ file: files.ruleset.file, path: ["version"], message: `says \`${model.version}\`` }])
  }
  const findings = differ(files.ruleset.file, await verifyRules(rules, model.match))
  if (findings.length > 0) refuse(findings)
  const file = `rules/releases/${version}.json`
  const document = releaseDocument(files, version, freezing.releasedAt)
  return { file, outcome: writeFrozen(freezing.root, file, document, freezing.replaceUnreleased) }
}

export const freezePolicySet = async (name: string, freezing: Freezing): Promise<Frozen> => {
  const files = Result.getOrElse(readPolicyTree(freezing.root, name), refuse)
  const { findings, policySet, rules } = preparePolicySet(name, files)
  const differing = differ(files.policy.file, await verifyPolicies(rules, policySet.match))
  if (findings.length + differing.length > 0) refuse([...findings, ...differing])
  const file = `policies/releases/${name}@${policySet.version}.json`
  const document = {
    name,
    version: policySet.version,
    released_at: freezing.releasedAt,
    policy: files.policy.json,
    rules: files.rules.map(({ json }) => json)
  }
  return { file, outcome: writeFrozen(freezing.root, file, document, freezing.replaceUnreleased) }
}

const freezeAll = async (version: string, freezing: Freezing): Promise<ReadonlyArray<Frozen>> => {
  const frozen = [await freezeRules(version, freezing)]
  for (const name of listPolicySets(freezing.root)) frozen.push(await freezePolicySet(name, freezing))
  return frozen
}

const main = async ([version, ...flags]: ReadonlyArray<string>): Promise<number> => {
  if (version === undefined || flags.some((flag) => flag !== "--replace-unreleased")) {
    process.stderr.write("usage: npm run rules:freeze -- <version> [--replace-unreleased]\n")
    return 2
  }
  try {
    const frozen = await freezeAll(version, {
      root: packageRoot,
      releasedAt: new Date().toISOString(),
      replaceUnreleased: flags.length > 0
    })
    for (const { file, outcome } of frozen) process.stdout.write(`${outcome} ${file}\n`)
    return frozen.some(({ outcome }) => outcome === "refused") ? 1 : 0
  } catch (cause) {
    if (!(cause instanceof Refused)) throw cause
    process.stderr.write(`${cause.message}\n`)
    return 1
  }
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2))
