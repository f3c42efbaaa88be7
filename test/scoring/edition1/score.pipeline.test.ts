/** docs/architecture.md lists the steps of a score. The text of the first edition's score.ts calls them in the same order. */

import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { codeOnly } from "../../architecture/codeOnly.ts"

/** The function behind each step of the sentence. */
const functions: Readonly<Record<string, string>> = {
  normalize: "normalizeAction",
  complete: "complete",
  dimensions: "measureDimensions",
  facts: "gatherFacts",
  rules: "model.match",
  "blast radius": "combineDimensions",
  "action risk": "combineRisk",
  gate: "gate",
  control: "recommendControl",
  summary: "summarize"
}

/** The one step that a part of the sentence names: `complete what is missing` is `complete`. */
const stepOf = (part: string): string => {
  const named = Object.keys(functions).filter((step) => part.toLowerCase().includes(step))
  expect(named, `steps in "${part}"`).toHaveLength(1)
  return named[0] ?? ""
}

const documentedSteps = (): ReadonlyArray<string> => {
  const text = readFileSync(`${packageRoot}/docs/architecture.md`, "utf8").replace(/\s+/g, " ")
  const sentence = /Normalize,[^.]*summary/i.exec(text)?.[0] ?? ""
  return sentence.split(",").map(stepOf)
}

/** The text of each top-level declaration of score.ts, by its name. */
const declarations = (): ReadonlyMap<string, string> => {
  const code = codeOnly(readFileSync(`${packageRoot}/src/scoring/edition1/score.ts`, "utf8"))
  const parts = code.split(/^(?=(?:export )?(?:const|function) )/m)
  return new Map(parts.map((part) => [/^(?:export )?(?:const|function) (\w+)/.exec(part)?.[1] ?? "", part]))
}

/** The functions that `name` calls, in the order of the text; a function of score.ts counts as what it calls itself. */
const callsOf = (name: string, declared: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  const calls = (declared.get(name) ?? "").matchAll(/[\w.]+(?=\()/g)
  return [...calls].flatMap(([callee]) => (declared.has(callee) ? callsOf(callee, declared) : [callee]))
}

it("a score takes the steps of docs/architecture.md in their order", () => {
  const steps = new Map(Object.entries(functions).map(([step, callee]) => [callee, step]))
  const taken = callsOf("score", declarations()).flatMap((callee) => steps.get(callee) ?? [])
  const documented = documentedSteps()
  expect(documented).toHaveLength(Object.keys(functions).length)
  expect([...new Set(taken)]).toEqual(documented)
})
