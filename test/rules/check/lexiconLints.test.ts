import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  callsOfInterpreter,
  checkFirstFits,
  deedsOfLanguage,
  formsOfProgram,
  namesOfPrograms
} from "../../../src/rules/check/firstFitLints.ts"
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
  checkFirstFits(formsOfProgram([], programOf(first, second))).some(({ rule }) => rule === "shadowed")

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
    // The word after `push` in one comes after `push origin` in the other.
    ["push ~main", "push origin ~main"],
    ["list $", "list all $"],
    ["rm @@data", "rm @data"]
  ])("%j leaves something for %j behind it", (first, second) => {
    expect(isShadowed(first, second)).toBe(false)
  })

  it.each(["push --force !--force|-f", "push --force|-f !-f|--force", "list $ ~all"])(
    "%j contradicts itself, and never fits",
    (form) => {
      expect(checkFirstFits(formsOfProgram([], programOf(form)))).toMatchObject([
        { rule: "never-matches", path: ["forms", 0, 0] }
      ])
    }
  )

  it.each(["status|--state", "-l|list", "--add-*|--add"])("%j has a part that never fits", (form) => {
    expect(checkFirstFits(formsOfProgram([], programOf(form)))).toMatchObject([
      { rule: "never-matches", path: ["forms", 0, 0] }
    ])
  })

  it.each(["push --force|-f !-f", "push -f !--dry-run", "list $ !~all"])("%j can fit", (form) => {
    expect(checkFirstFits(formsOfProgram([], programOf(form)))).toEqual([])
  })

  const words = ["a", "b", "a|b", "*", "-f", "-f|-g", "!-f", "--to=a", "--to=a,b", "~a", "~a|b", "!~a", "$"]
  const form = fc.array(fc.constantFrom(...words), { maxLength: 4 }).map((list) => list.join(" "))
  const given = fc.array(fc.constantFrom("a", "b", "c", "-f", "-g", "--to=a", "--to=b"), { maxLength: 4 })

  const reported = (forms: ReadonlyArray<string>) =>
    checkFirstFits(formsOfProgram([], programOf(...forms))).map(({ path }) => `form_${String(path[1])}.run`)

  it("that is reported is never the first one that fits", { timeout: timeoutMs(propertyRuns) }, () => {
    fc.assert(
      fc.property(form, form, fc.array(given, { minLength: 5, maxLength: 5 }), (first, second, calls) => {
        const hidden = reported([first, second])
        fc.pre(hidden.length > 0)
        const program = prepareCommands({
          ...commandsData,
          programs: [programOf(first, second)]
        }).programs.get("x")
        if (program === undefined) throw new Error("the program is gone")
        const acts = calls.map(
          (call) =>
            findForm(program, readProgramArguments(program, call.map(plainWord)), () => "other")?.act.type
        )
        expect(acts.filter((type) => type !== undefined && hidden.includes(type))).toEqual([])
      }),
      { numRuns: propertyRuns }
    )
  })
})

describe("an entry that never decides is found", () => {
  const messagesOf = (lists: Parameters<typeof checkFirstFits>[0]) =>
    checkFirstFits(lists).map(({ message, path }) => `${path.join(".")} ${message.split(":")[0]}`)

  it("among the further effects of a program", () => {
    const program: ProgramData = {
      ...programOf("run"),
      also: [{ forms: ["deploy", "deploy prod"].map((form) => [form, "app.deploy deploy high"] as const) }]
    }
    expect(messagesOf(formsOfProgram(["programs", 2], program))).toEqual([
      "programs.2.also.0.forms.1.0 `deploy prod` never decides"
    ])
  })

  it("among cmdlets, whose names are patterns", () => {
    const named = (names: string): ProgramData => ({ ...programOf("run"), names })
    expect(
      messagesOf([namesOfPrograms([named("stop-vm remove-*"), named("remove-mailbox get-vm")])])
    ).toEqual(["programs.1.names `remove-mailbox` never decides"])
  })

  it("among the deeds of a language: the words of one begin those of another", () => {
    const act = "rows.delete delete high"
    const deeds = ["drop index", "drop", "drop database", "dropped"].map((words) => [words, act] as const)
    expect(messagesOf(deedsOfLanguage({ name: "x", tools: "x", deeds }))).toEqual([
      "deeds.2.0 `drop database` never decides"
    ])
  })

  it("among the calls of an interpreter: one name without a condition takes all", () => {
    const calls = [
      ["open", "> {0}", "{1|mode}=*w*"],
      ["open read", "cat {0}"],
      ["open", ">> {0}", "{1|mode}=*a*"],
      ["read", "cat {0}"]
    ] as const
    expect(messagesOf(callsOfInterpreter({ programs: "x", modules: "x", harmless: "x", calls }))).toEqual([
      "calls.2.0 `open {1|mode}=*a*` never decides",
      "calls.3.0 `read` never decides"
    ])
  })
})
