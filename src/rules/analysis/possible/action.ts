/** What the class and the environment settle. */

import { environments, reversibilities } from "../../../domain/Action.ts"
import { actionCategories, actionClasses } from "../../../domain/ActionType.ts"
import type { Numbers } from "../../../scoring/Model.ts"
import { all, atLeast, atMost, follows, is, oneOf, type Term } from "../Term.ts"

const rankOfEnvironment = environments.flatMap((name, rank) => {
  const ranked = all(atLeast("environment_rank", rank), atMost("environment_rank", rank))
  return [follows(is("environment", name), ranked), follows(ranked, is("environment", name))]
})

const classesWhere = (numbers: Numbers, holds: (model: Numbers["classes"]["read"]) => boolean) =>
  actionClasses.filter((name) => holds(numbers.classes[name]))

/** Classes whose verbs may carry a second, exporting one. */
const exportingToo = ["destroy", "delete", "execute", "access", "transact"]

export const action = (numbers: Numbers): ReadonlyArray<Term> => [
  ...rankOfEnvironment,
  ...actionCategories.map((category) =>
    follows(
      is("action_category", category),
      oneOf(
        "action_class",
        classesWhere(numbers, (model) => model.category === category)
      )
    )
  ),
  ...actionClasses.map((name) =>
    follows(is("action_class", name), is("action_category", numbers.classes[name].category))
  ),
  follows(
    oneOf(
      "action_class",
      classesWhere(numbers, (model) => model.alwaysChangesPrivilege)
    ),
    is("privilege_change", true)
  ),
  ...actionClasses.map((name) =>
    follows(
      is("action_class", name),
      atLeast("reversibility_rank", reversibilities.indexOf(numbers.classes[name].reversibilityFloor))
    )
  ),
  follows(is("also_exports", true), oneOf("action_class", exportingToo))
]
