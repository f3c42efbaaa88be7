/** Every code in answers says what is expected of the reader. */

import { describe, expect, it } from "vitest"
import { controlTypes } from "../../src/domain/Opinion.ts"
import { explainedCodes } from "../../src/rules/codes.ts"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { rules } from "../support/draft.ts"
import { read } from "../support/read.ts"
import { rulesFolder } from "../support/rulesFolder.ts"

const codes = read(explainedCodes(packageRoot))
const namesOf = (kind: string) => codes.filter((one) => one.kind === kind).map(({ code }) => code)

describe("the codes", () => {
  it("are all controls, the factors of the rules and of policies, and what the rules recommend", () => {
    expect(namesOf("control")).toEqual(controlTypes)
    expect(namesOf("factor")).toEqual(
      [...new Set([...rules.factors.map(({ match }) => match.code), "CUSTOMER_POLICY_MATCH"])].toSorted()
    )
    const recommended = rules.factors.flatMap(({ match }) => match.recommendations)
    expect(namesOf("recommendation")).toEqual(expect.arrayContaining(recommended))
  })

  it("say more than why a factor exists", () => {
    for (const { expects, why } of codes) expect(expects).not.toBe(why)
  })

  it("are refused where a control is not explained", () => {
    const folder = rulesFolder()
    folder.edit("rules/recommendations.json", '"HUMAN_REVIEW_RECOMMENDED"', '"HUMAN_REVUE_RECOMMENDED"')
    expect(() => read(explainedCodes(folder.root))).toThrow(/`HUMAN_REVIEW_RECOMMENDED` has no explanation/)
  })
})
