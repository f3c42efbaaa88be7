/** `rules test` and `policies test`: run the cases, and find the parts of the rules that no case reaches. */

import { Effect, Result, Schema } from "effect"
import type { Coverage } from "../../rules/cases/coverage.ts"
import {
  type CaseGroup,
  type CasesReport,
  reportWithoutRun,
  runCases,
  runPolicyCases
} from "../../rules/cases/runCases.ts"
import { packageRoot } from "../../rules/files/readTree.ts"
import { currentTerminal, headings, lines, type Row, table, type Terminal } from "../Terminal.ts"
import { formatFlag, switchFlag } from "../flags.ts"
import { counted } from "../texts.ts"
import { bool, int, list, members, objects, string } from "../jsonShapes.ts"
import { Found, inFormat, renderFindings } from "./findings.ts"
import { workingRulebook } from "./rulebooks.ts"
import { type Noun, ruleFiles, rulesFlag, scoringReleaseFlag, subjectArguments } from "./subject.ts"
import { verb, type NounHelp } from "../verb.ts"

const reachedFields = {
  reachable: int("Each rule, each condition answered yes and no, each threshold from both sides."),
  reached: Schema.Int,
  percent: int("Rounded down: 100 only if everything is reached.")
}

const knownFields = {
  reachable: int("Entries that cases can reach."),
  reached: Schema.Int,
  percent: Schema.Int
}

const testShape = members({
  ok: bool("Whether there are cases, all of them hold, and there are no gaps."),
  findings: list(
    Found,
    "Each failing case at its expectation; with --coverage also each gap. By file and line."
  ),
  cases: Schema.Struct({ total: Schema.Int, failed: Schema.Int }),
  groups: objects(null, {
    of: string("A factor's code, a typology's name, a policy rule's id, or calibration."),
    file: Schema.String,
    cases: Schema.Int,
    failed: Schema.Int
  }),
  coverage: Schema.optionalKey(
    members({
      ...reachedFields,
      codes: Schema.Array(members({ code: Schema.String, file: Schema.String, ...reachedFields })),
      gaps: objects(null, {
        kind: Schema.Literals(["rule", "atom", "boundary"]),
        code: Schema.String,
        rule: string("The rule's own name."),
        message: Schema.String
      })
    }).pipe(
      Schema.annotateEncoded({
        description: "How much of its rules the cases next to each file reach; with --coverage."
      })
    )
  ),
  knowledge: Schema.optionalKey(
    members(
      {
        ...knownFields,
        parts: objects(null, {
          of: string("A file of the lexicon: programs/git."),
          file: Schema.String,
          ...knownFields,
          unreached: list(Schema.String, "In the words of the file.")
        })
      },
      { parts: "files" }
    ).pipe(
      Schema.annotateEncoded({
        description:
          "The parts of the lexicon that all cases reach: forms of programs, statements, calls of interpreters, rules of parameters, alternatives; of the rules, with --coverage. A gap is not a finding."
      })
    )
  )
})

const coverageFlag = switchFlag(
  "coverage",
  "Also find the rules, answers and thresholds that no case of their own reaches"
)

const releaseFlags = {
  rules: rulesFlag("The release that the working cases run against (default: the working files)", null),
  policies: scoringReleaseFlag
}

const help: Readonly<Record<Noun, NounHelp>> = {
  rules: {
    about: "Score every case and the calibration",
    examples: {
      "": "Do all cases hold?",
      "--coverage": "And which parts of the rules does no case reach?",
      "--rules 1.0.0 --format github": "The working cases against a release, as annotations in a pull request"
    }
  },
  policies: {
    about: "Score every case of a policy set's working folder",
    reads: "`RULES_VERSION`",
    examples: {
      starter: "Do all cases hold?",
      "starter --coverage --format markdown":
        "And which parts of the rules does no case reach, for a pull request"
    }
  }
}

export const testVerb = (noun: Noun) =>
  verb({
    ...help[noun],
    fails: "a case fails, there are no cases, or with `--coverage` there is a gap",
    takes: {
      ...subjectArguments[noun],
      coverage: coverageFlag,
      rules: releaseFlags[noun],
      format: formatFlag
    },
    prints: testShape,
    isBlocking: true,
    run: Effect.fnUntraced(function* ({ coverage, format, rules, subject = ruleFiles }, command) {
      const run = noun === "rules" ? runCases : runPolicyCases
      const report = Result.match(yield* workingRulebook(subject, rules), {
        onFailure: (findings) => reportWithoutRun(packageRoot, findings),
        onSuccess: (rulebook) => run(packageRoot, rulebook, { coverage })
      })
      const page = { command, scope: scopeOf(report), findings: report.findings }
      const pretty = () => {
        const screen = currentTerminal()
        const counts = [casesTable(screen, report), knowledgeLines(screen, report), ""]
        return lines(
          ...(report.cases.total > 0 ? counts : []),
          renderFindings("pretty", page, packageRoot)
        ).join("\n")
      }
      return inFormat(format, { ok: report.ok, json: () => report, pretty, page })
    })
  })

/** The lexicon files that have cases, with what these cases leave out, and the number of the other files. */
const knowledgeLines = (screen: Terminal, { groups, knowledge }: CasesReport): ReadonlyArray<string> => {
  if (knowledge === undefined) return []
  const withCases = knowledge.parts.filter(({ of }) => groups.some((group) => group.of === of))
  const open = withCases.filter(({ unreached }) => unreached.length > 0)
  return [
    "",
    screen.color("bold", "Parts of the lexicon that no case reaches"),
    ...open.flatMap(({ of, unreached }) => [
      `  ${of}`,
      ...unreached.map((text) => `    ${oneLineOf(text, screen.width - 4)}`)
    ]),
    `  ${knowledge.parts.length - withCases.length} files without cases; ${knowledge.reached} of ${knowledge.reachable} entries are reached, ${knowledge.percent} %`
  ]
}

/** Shortened, because a form can be a list of a hundred words. */
const oneLineOf = (text: string, columns: number): string => {
  const shown = text === "" ? "(no word)" : text
  return shown.length > columns ? `${shown.slice(0, columns - 1)}…` : shown
}

const scopeOf = ({ cases: { failed, total } }: CasesReport): string => {
  if (total === 0) return "no cases were run"
  return `${counted(total, "case")}, ${failed === 0 ? "all hold" : `${failed} failed`}`
}

const figure = (count: number) => ({ text: String(count), align: "right" }) as const
const failures = (count: number) => ({ ...figure(count), style: count > 0 ? "red" : "plain" }) as const

type Reached = Pick<Coverage, "percent" | "reachable" | "reached">

const shareCells = ({ percent, reachable, reached }: Reached): Row => {
  const style = reached === reachable ? "green" : "yellow"
  return [
    { text: `${percent} %`, align: "right", style },
    { text: `${reached} of ${reachable}`, style }
  ]
}

/** How many cases each file has and how many fail; with coverage, how much of its rules they reach. */
export const casesTable = (
  screen: Terminal,
  { cases, coverage, groups, knowledge }: CasesReport
): ReadonlyArray<string> => {
  const reachedBy = ({ of }: CaseGroup): Row => {
    const own =
      coverage?.codes.find(({ code }) => code === of) ?? knowledge?.parts.find((part) => part.of === of)
    if (own !== undefined) return shareCells(own)
    return coverage === undefined ? [] : ["", ""]
  }
  const rows = groups.map((group): Row => [
    group.of,
    figure(group.cases),
    failures(group.failed),
    ...reachedBy(group)
  ])
  const sum: Row = [
    { text: "together", style: "bold" },
    figure(cases.total),
    failures(cases.failed),
    ...(coverage === undefined ? [] : shareCells(coverage))
  ]
  const head = headings("cases beside", "cases", "failed", ...(coverage === undefined ? [] : ["", "reached"]))
  return table(screen, [head, ...rows, sum], 0)
}
