/** What policy sets hold, as their authors described them. */

import { Result } from "effect"
import type { PolicyRuleMatch } from "../../scoring/Model.ts"
import { describeCondition } from "../describeCondition.ts"
import { decodeFile } from "../decodeFile.ts"
import { PolicyRuleFile } from "../files/PolicyRuleFile.ts"
import { PolicySetFile } from "../files/PolicySetFile.ts"
import { type PolicyLadder, policyLadders } from "../ladders.ts"
import { listPolicySets, listPolicyVersions, loadPolicyVersion } from "../policies/loadPolicySet.ts"
import type { PreparedPolicySet } from "../policies/PreparedPolicySet.ts"
import type { Read } from "../Read.ts"
import type { Root } from "../readTree.ts"

export interface CataloguedPolicy extends PolicyLadder {
  readonly described: typeof PolicyRuleFile.Type
}

/** Of a set that is whole: every file of it has been decoded once already. */
export const cataloguePolicies = (set: PreparedPolicySet): ReadonlyArray<CataloguedPolicy> =>
  policyLadders(set).flatMap((ladder) =>
    set.files.rules
      .filter(({ name }) => name === ladder.code)
      .flatMap((source) =>
        Result.match(decodeFile(PolicyRuleFile, source), {
          onFailure: () => [],
          onSuccess: (described) => [{ ...ladder, described }]
        })
      )
  )

export interface CataloguedSet {
  readonly name: string
  /** Null where there is no working folder, or it cannot be read. */
  readonly working: (typeof PolicySetFile.Type & { readonly rules: number }) | null
  /** Oldest first. */
  readonly frozen: ReadonlyArray<string>
}

/** What the set says of itself. */
export const describeSet = ({ files }: PreparedPolicySet): Read<typeof PolicySetFile.Type> =>
  decodeFile(PolicySetFile, files.policy)

const readWorking = (root: Root, name: string): CataloguedSet["working"] =>
  loadPolicyVersion(root, name, "draft").pipe(
    Result.flatMap((set) =>
      Result.map(describeSet(set), (described) => ({ ...described, rules: set.rules.length }))
    ),
    Result.getOrElse(() => null)
  )

export const cataloguePolicySets = (root: Root): ReadonlyArray<CataloguedSet> =>
  listPolicySets(root).map((name) => ({
    name,
    working: readWorking(root, name),
    frozen: listPolicyVersions(root, name)
  }))

/** What a rule asks for where it holds, in plain words. */
export const asksFor = ({
  control,
  effect,
  factor,
  floor,
  note,
  recommendations
}: PolicyRuleMatch): string => {
  switch (effect) {
    case "raise_floor":
      return `the score is at least ${floor}`
    case "add_factor":
      return `a ${factor?.severity} factor says: ${factor?.message}`
    case "require_control":
      return `the control is at least ${control}`
    case "add_recommendation":
      return `${recommendations.join(", ")} is recommended`
    case "annotate":
      return `a note says: ${note}`
  }
}

export const whenOf = ({ rules: [rule] }: PolicyLadder): string =>
  rule === undefined ? "never" : describeCondition(rule.condition)
