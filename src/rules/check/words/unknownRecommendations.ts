/** A recommendation is one that is explained somewhere, so that whoever reads the code can look up what to do. */

import type { Ladder } from "../../ladders.ts"
import { didYouMean } from "../../nearestName.ts"
import type { Finding, Problem } from "../../Problem.ts"
import type { Examined } from "../examine.ts"

interface Given {
  readonly code: string
  readonly path: Problem["path"]
}

/** Every code that a rule file recommends, and where. */
const givenIn = (ladder: Ladder): ReadonlyArray<Given> => {
  const [rule] = ladder.rules
  if (rule === undefined || !("recommendations" in rule.match)) return []
  const { match } = rule
  return match.recommendations.map((code, i) => {
    if (!("effect" in match)) return { code, path: ["recommendations", i] }
    return match.effect === "add_factor"
      ? { code, path: ["then", "add_factor", "recommendations", i] }
      : { code, path: ["then", "add_recommendation", "code"] }
  })
}

/** `known` is null where the file that explains them cannot be read. */
export const checkRecommendations = (
  examined: ReadonlyArray<Examined>,
  known: ReadonlyArray<string> | null
): ReadonlyArray<Finding> =>
  examined.flatMap(({ file, ladder }) =>
    ladder === undefined || known === null
      ? []
      : givenIn(ladder)
          .filter(({ code }) => !known.includes(code))
          .map(({ code, path }): Finding => {
            const { hint, suggested } = didYouMean(code, known)
            const place = file.startsWith("rules/") ? "rules/recommendations.json" : "policy.json"
            const instead = hint || `: say in ${place} what it asks`
            return {
              rule: "unknown-code",
              file,
              path,
              message: `unknown recommendation \`${code}\`${instead}`,
              ...suggested
            }
          })
  )
