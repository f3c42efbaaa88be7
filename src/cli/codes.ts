/** `codes`: lists every code that an answer can contain, with what the caller should do about it. */

import { Effect, Schema } from "effect"
import { Argument } from "effect/cli"
import { factorCategories } from "../domain/Opinion.ts"
import { codeKinds, type ExplainedCode, explainedCodes } from "../rules/codes.ts"
import { packageRoot } from "../rules/files/readTree.ts"
import { members, objects, optionalKey, string } from "./jsonShapes.ts"
import { readOrRefuse, unknownName } from "./rules/subject.ts"
import { type Row, table, type Terminal } from "./Terminal.ts"
import { elseNull } from "./flags.ts"
import { verb } from "./verb.ts"

const codesShape = members({
  codes: objects(null, {
    code: Schema.String,
    kind: Schema.Literals(codeKinds),
    category: optionalKey(Schema.Literals(factorCategories), "Only for a factor."),
    expects: string("How a reader of the answer should respond to the code."),
    why: optionalKey(Schema.String, "Only for a factor: the risk.")
  })
})

const code = elseNull(Argument.String("code"), "Only this code, as an answer spells it")

export const listCodes = verb({
  about: "List the codes in answers, and how a reader should respond to each",
  takes: { code },
  prints: codesShape,
  fails: "the rule files cannot be used",
  examples: {
    "": "Controls, risk factors and recommendations",
    NOVEL_DESTINATION: "One of them"
  },
  run: Effect.fnUntraced(function* (options) {
    const all = yield* readOrRefuse(explainedCodes(packageRoot))
    const wanted = options.code?.toUpperCase()
    const codes = wanted === undefined ? all : all.filter((one) => one.code === wanted)
    const known = all.map((one) => one.code)
    if (wanted !== undefined && codes.length === 0)
      return yield* unknownName("code", wanted, known, "action-risk codes")
    return { json: () => ({ codes }), text: (screen) => renderCodes(screen, codes) }
  })
})

const titles: Readonly<Record<ExplainedCode["kind"], string>> = {
  control: "Controls, weakest first",
  factor: "Risk factors",
  recommendation: "Recommendations"
}

const renderCodes = (screen: Terminal, codes: ReadonlyArray<ExplainedCode>): string =>
  codeKinds
    .map((kind) => ({ kind, own: codes.filter((one) => one.kind === kind) }))
    .filter(({ own }) => own.length > 0)
    .map(({ kind, own }) => {
      const rows = own.map((one): Row => [{ text: one.code, style: "cyan" }, one.expects])
      return [screen.color("bold", titles[kind]), ...table(screen, rows)].join("\n")
    })
    .join("\n\n")
