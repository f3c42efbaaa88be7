/** `rules diff` and `policies diff`: the changes between two versions, grouped by their effect on scores and controls. */

import { Effect, Schema } from "effect"
import type { LocatedFinding } from "../../rules/Finding.ts"
import { moveBetween, moveText } from "../../rules/ScoreAndControl.ts"
import { type Change, type ChangeKind, changeKinds, type Diff } from "../../rules/diff/Diff.ts"
import { diffRulebooks } from "../../rules/diff/diffRulebooks.ts"
import { locator } from "../../rules/files/locate.ts"
import { packageRoot } from "../../rules/files/readTree.ts"
import { currentTerminal, lines, paragraph, type Style, type Terminal } from "../Terminal.ts"
import { formatFlag } from "../flags.ts"
import { counted } from "../texts.ts"
import {
  callsFlag,
  corpusWith,
  type Noun,
  openVersions,
  ruleFiles,
  subjectArguments,
  versionArguments,
  versionOrDraft
} from "./subject.ts"
import { literals, members, objects, optionalKey, string } from "../jsonShapes.ts"
import { inFormat } from "./findings.ts"
import { renderWitness, witnessSchema } from "./witness.ts"
import { verb, type VerbHelp } from "../verb.ts"

export const diffShape = members({
  from: Schema.String,
  to: Schema.String,
  changes: objects("Ascending by code.", {
    code: string(
      "A factor's code, a typology's name, a policy rule's id; ruleset.<path>, currencies.<code>, catalogue.<entry>; lexicon for its files, and knowledge.<kind> for their effect on calls."
    ),
    kind: literals(
      changeKinds,
      "stricter or looser if it only raises or only lowers findings, for every possible request (for knowledge: for the calls that were tried); moved if it does both; text if it does neither."
    ),
    file: Schema.String,
    summary: string("In plain words: high from 1,000 entities, was 500."),
    details: Schema.Array(Schema.String),
    witness: optionalKey(
      witnessSchema,
      "A request that shows it; absent for text, and if none was found. For a change that moved, a request that falls in score or control, if there is one."
    ),
    risingWitness: optionalKey(
      witnessSchema,
      "Only for a change that moved: a request that scores higher or gets a stronger control."
    )
  })
})

const help: Readonly<Record<Noun, VerbHelp>> = {
  rules: {
    about: "Show what got stricter, looser, moved or only reworded, each with a request that shows it",
    fails: "the rules cannot be read; differences do not change the exit code",
    examples: {
      "1.0.0 draft": "What the working files change",
      "1.0.0 draft --json": "With the requests as in a cases file"
    }
  },
  policies: {
    about:
      "Show what got stricter, looser, moved or only reworded in a policy set, each with a request that shows it",
    fails: "the policies cannot be read; differences do not change the exit code",
    examples: {
      "starter 1.0.0 draft": "What the working files change",
      "starter 1.0.0 draft --format markdown": "For a pull request"
    }
  }
}

export const diffVerb = (noun: Noun) =>
  verb({
    ...help[noun],
    takes: {
      ...subjectArguments[noun],
      ...versionArguments(noun, versionOrDraft[noun], "The version to compare it with, or draft"),
      calls: callsFlag,
      format: formatFlag
    },
    prints: diffShape,
    isBlocking: true,
    run: Effect.fnUntraced(function* ({ calls, format, subject = ruleFiles, ...versions }, command) {
      const { from, to } = yield* openVersions(subject, versions)
      const diff = diffRulebooks(from, to, yield* corpusWith(calls))
      return inFormat(format, {
        json: () => diff,
        pretty: () => renderDiff(currentTerminal(), diff),
        page: {
          command,
          scope: `${diff.from} → ${diff.to}: ${countsOf(diff)}`,
          findings: findingsOf(diff)
        }
      })
    })
  })

const findingMessage = ({ code, kind, summary, witness }: Change): string => {
  const change = `${code} ${kindWords[kind]}: ${summary}`
  if (witness === undefined) return change
  const past = witness.history === undefined ? "" : " with a history"
  return `${change}; a request ${moveText(witness)}: \`${JSON.stringify(witness.request)}\`${past}`
}

const kindWords: Readonly<Record<ChangeKind, string>> = {
  looser: "is looser",
  moved: "moved",
  stricter: "is stricter",
  text: "is reworded"
}

const findingsOf = (diff: Diff): ReadonlyArray<LocatedFinding> => {
  const locate = locator(packageRoot)
  return diff.changes.map((change) => {
    const [part, ...path] = change.code.split(".")
    // Without the part that a release adds in parentheses.
    const file = change.file.replace(/ \(.*\)$/, "")
    const places = part === "ruleset" ? path : part === "catalogue" ? ["entries"] : ["rules"]
    const spot = { file, path: change.kind === "text" ? [] : places }
    return { rule: change.kind, severity: "warning", file, ...locate(spot), message: findingMessage(change) }
  })
}

const sectionTitles: Readonly<Record<ChangeKind, readonly [title: string, style: Style]>> = {
  looser: ["Looser: lowers severities, scores or controls, and raises none", "red"],
  moved: ["Moved: raises some of them and lowers others", "yellow"],
  stricter: ["Stricter: raises severities, scores or controls, and lowers none", "cyan"],
  text: ["Text only: changes no score and no control", "dim"]
}

const witnessLines = (
  screen: Terminal,
  { code, kind, risingWitness, witness }: Change
): ReadonlyArray<string> => {
  const aside = (text: string) => `    ${screen.color("dim", text)}`
  // The calls that a changed lexicon reads differently are listed by kind, as changes of their own.
  const needsNone = kind === "text" || code === "lexicon"
  if (witness === undefined) return needsNone ? [] : [aside("no request was found that shows it")]
  const { points, steps } = moveBetween(witness.from, witness.to)
  return lines(
    renderWitness(screen, witness, 4),
    points === 0 &&
      steps === 0 &&
      aside("the score and the control stay the same, the rest of the answer changes"),
    risingWitness !== undefined && renderWitness(screen, risingWitness, 4)
  )
}

const renderChange = (screen: Terminal, change: Change): ReadonlyArray<string> => [
  `  ${screen.color("bold", change.code)}`,
  ...paragraph(screen, change.summary, 4),
  ...witnessLines(screen, change)
]

const countsOf = ({ changes }: Diff): string => {
  if (changes.length === 0) return "nothing changed"
  const counts = changeKinds.flatMap((kind) => {
    const count = changes.filter((change) => change.kind === kind).length
    return count === 0 ? [] : [`${count} ${kind}`]
  })
  return `${counted(changes.length, "change")}: ${counts.join(", ")}`
}

/** A diff for people: looser changes first, each in a sentence and with a demonstrating request. */
export const renderDiff = (screen: Terminal, diff: Diff): string => {
  const between = `${diff.from} → ${diff.to}`
  if (diff.changes.length === 0) return `${between}: ${countsOf(diff)}`
  const sections = changeKinds.flatMap((kind) => {
    const own = diff.changes.filter((change) => change.kind === kind)
    const [title, style] = sectionTitles[kind]
    const blocks = own.map((change) => renderChange(screen, change).join("\n"))
    return own.length === 0 ? [] : [[screen.color(style, title), ...blocks].join("\n\n")]
  })
  return [screen.color("bold", `${between}: ${countsOf(diff)}`), ...sections].join("\n\n")
}
