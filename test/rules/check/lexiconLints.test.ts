import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { checkForms } from "../../../src/rules/check/lexiconLints.ts"
import { findForm, readProgramArguments } from "../../../src/scoring/reading/commands/matchProgram.ts"
import { plainWord } from "../../../src/scoring/reading/commands/paths.ts"
import { prepareCommands } from "../../../src/rules/lexicon/prepareCommands.ts"
import type { ProgramData } from "../../../src/rules/lexicon/programFiles.ts"
import { propertyRuns, timeoutMs } from "../../support/depth.ts"
import { commandsData } from "../../support/commands.ts"

const programOf = (...forms: ReadonlyArray<string>): ProgramData => ({
  names: "x",
  forms: forms.map((form, i) => [form, `form_${i}.run read`] as const)
})

const isShadowed = (first: string, second: string): boolean =>
  checkForms([[[], programOf(first, second)]]).length > 0

describe("a form of a program", () => {
  it.each([
    ["", "push"],
    ["push", "push --force"],
    ["push|pull", "push"],
    ["* list", "user list"],
    ["push --force|-f", "push -f origin"],
    ["~main|master", "~main"],
    ["rm @secret|data", "rm @data"]
  ])("%j leaves nothing for %j behind it", (first, second) => {
    expect(isShadowed(first, second)).toBe(true)
  })

  it.each([
    ["push", "pull"],
    ["push --force", "push"],
    ["push", "push|pull"],
    ["user list", "* list"],
    ["push !--dry-run", "push"],
    ["--acl=public*", "--acl"],
    // What stands behind `push` in one stands behind `push origin` in the other.
    ["push ~main", "push origin ~main"],
    ["list $", "list all $"],
    ["rm @@data", "rm @data"]
  ])("%j leaves something for %j behind it", (first, second) => {
    expect(isShadowed(first, second)).toBe(false)
  })

  const words = ["a", "b", "a|b", "*", "-f", "-f|-g", "!-f", "--to=a", "--to=a,b", "~a", "~a|b", "!~a", "$"]
  const form = fc.array(fc.constantFrom(...words), { maxLength: 4 }).map((list) => list.join(" "))
  const given = fc.array(fc.constantFrom("a", "b", "c", "-f", "-g", "--to=a", "--to=b"), { maxLength: 4 })

  it("that is reported is never the first one that fits", { timeout: timeoutMs(propertyRuns) }, () => {
    fc.assert(
      fc.property(form, form, fc.array(given, { minLength: 5, maxLength: 5 }), (first, second, calls) => {
        fc.pre(isShadowed(first, second))
        const program = prepareCommands({
          ...commandsData,
          programs: [programOf(first, second)]
        }).programs.get("x")
        if (program === undefined) throw new Error("the program is gone")
        const acts = calls.map(
          (call) =>
            findForm(program, readProgramArguments(program, call.map(plainWord)), () => "other")?.act.type
        )
        expect(acts).not.toContain("form_1.run")
      }),
      { numRuns: propertyRuns }
    )
  })
})
