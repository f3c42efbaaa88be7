/** Findings as `--json` prints them, and in each `--format`: for people, as SARIF, for GitHub, as Markdown. */

import { Console, Effect, Schema } from "effect"
import { join } from "node:path"
import type { Log, ReportingDescriptor, Result } from "sarif"
import { readBytes } from "../../json/jsonText.ts"
import { ruleFileBytesMax } from "../../limits.ts"
import { isLint, lints, type LocatedFinding } from "../../rules/Finding.ts"
import { packageRoot, type Root } from "../../rules/files/readTree.ts"
import { type Terminal, terminal, wrap } from "../Terminal.ts"
import { FindingsExit } from "../commandFailures.ts"
import type { Format, OutputOptions } from "../flags.ts"
import { version } from "../version.ts"

interface PrintedReport {
  readonly ok: boolean
  /** What `--json` prints. */
  readonly document: () => unknown
  /** For people; the findings where it is left out. */
  readonly pretty?: () => string
  readonly page: FindingsPage
}

/** Prints a report in the form that the flags ask for, and ends with exit code 1 where the report is not ok. */
export const printReport = Effect.fnUntraced(function* (
  { format, json }: OutputOptions,
  { document, ok, page, pretty }: PrintedReport
) {
  yield* Console.log(
    json
      ? JSON.stringify(document(), null, 2)
      : format === "pretty" && pretty !== undefined
        ? pretty()
        : renderFindings(format, page, packageRoot)
  )
  if (!ok) return yield* new FindingsExit()
})

/** `root` holds the files that the findings name. */
export const renderFindings = (
  format: Format,
  page: FindingsPage,
  root: Root,
  sheet: Terminal = terminal()
): string => {
  switch (format) {
    case "sarif":
      return renderSarif(page)
    case "github":
      return renderGithub(page)
    case "markdown":
      return renderMarkdown(page)
    case "pretty":
      return renderPretty(sheet, page, sourceLines(root))
  }
}

/** A finding as `--json` prints it, alike in every command that finds something. */
export const findingSchema = Schema.Struct({
  rule: Schema.String.annotate({ description: "The lint that speaks, a page of docs/lints/." }),
  severity: Schema.Literals(["error", "warning"]),
  file: Schema.String,
  line: Schema.Int.annotate({ description: "From 1." }),
  column: Schema.Int.annotate({ description: "From 1, in UTF-16 code units." }),
  message: Schema.String,
  suggestion: Schema.optionalKey(Schema.String).annotate({ description: "What to write instead." })
})

/** What a command has found, ready to be printed in any format. */
export interface FindingsPage {
  /** The command's words below the root: `rules check`. */
  readonly command: string
  readonly findings: ReadonlyArray<LocatedFinding>
  /** What was looked at, counted: `112 files`. */
  readonly scope: string
}

/** Findings for people: by file, each with its place, the line it is about, what to write instead, and where it is explained. */
const indent = (lines: ReadonlyArray<string>, by: string): ReadonlyArray<string> =>
  lines.map((line) => `${by}${line}`)

export const findingLines = (
  sheet: Terminal,
  finding: LocatedFinding,
  line?: string
): ReadonlyArray<string> => {
  const { column, file, line: at, message, rule, severity, suggestion } = finding
  const colour = severity === "error" ? "red" : "yellow"
  const shown = excerpt(line, finding, sheet.width - 6)
  const page = lintPage(rule)
  return [
    `${sheet.color("cyan", `${file}:${at}:${column}`)} ${sheet.color(colour, severity)} ${sheet.color("dim", rule)}`,
    ...indent(wrap(message, sheet.width - 2), "  "),
    ...(shown === null ? [] : indent([shown.text, sheet.color(colour, shown.marks)], "    ")),
    ...(suggestion === undefined ? [] : [`  write ${sheet.color("green", suggestion)}`]),
    ...(page === null ? [] : [sheet.color("dim", `  see ${page}`)])
  ]
}

const renderPretty = (sheet: Terminal, page: FindingsPage, lineOf: LineOf): string => {
  const blocks = page.findings.map((finding) =>
    findingLines(sheet, finding, lineOf(finding.file, finding.line)).join("\n")
  )
  const style = page.findings.length === 0 ? "green" : "bold"
  return [...blocks, sheet.color(style, findingsCount(page))].join("\n\n")
}

/** The line of a file that a finding is about, with a mark under what is meant. */
interface Excerpt {
  readonly text: string
  /** As wide as the indent and the marks under the text. */
  readonly marks: string
}

/** A text, a number or a word as JSON writes it; else one character. */
const token = /^(?:"(?:[^"\\]|\\.)*"|[\w.+-]+)/

const cut = "… "

/** Null where the line is not there or is empty. */
const excerpt = (
  line: string | undefined,
  { column }: Pick<LocatedFinding, "column">,
  width: number
): Excerpt | null => {
  if (line === undefined || line.trim() === "") return null
  const start = column - 1
  const indent = Math.min(line.length - line.trimStart().length, start)
  const [meant = " "] = token.exec(line.slice(start)) ?? []
  const end = start + Math.min(meant.length, width - cut.length)
  // A long line is cut in front, so that what is meant is still on it.
  const from = end - indent <= width ? indent : end - width + cut.length
  const lead = from === indent ? "" : cut
  const shown = lead + line.slice(from).replaceAll(/\p{C}/gu, " ")
  return {
    text: shown.slice(0, width),
    marks: " ".repeat(lead.length + start - from) + "^".repeat(end - start)
  }
}

/**
 * Lines of the files that findings are about, each file read once.
 * A line of a file, from 1; undefined where there is none.
 */
type LineOf = (file: string, line: number) => string | undefined

const readLines = (path: string): ReadonlyArray<string> => {
  const bytes = readBytes(path, ruleFileBytesMax)
  return typeof bytes === "string" ? [] : bytes.toString("utf8").split(/\r\n|\r|\n/)
}

const sourceLines = (root: Root): LineOf => {
  const files = new Map<string, ReadonlyArray<string>>()
  return (file, line) => {
    const lines = files.get(file) ?? readLines(join(root, file))
    files.set(file, lines)
    return lines[line - 1]
  }
}

/** Findings as the workflow commands that GitHub Actions shows beside the lines of a pull request. */
const escapeMessage = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")

const escapeProperty = (text: string): string =>
  escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C")

const githubAnnotation = ({
  column,
  file,
  line,
  message,
  rule,
  severity,
  suggestion
}: LocatedFinding): string => {
  const properties = { file, line: String(line), col: String(column), title: rule }
  const stated = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`)
  const instead = suggestion === undefined ? "" : ` (write: ${suggestion})`
  return `::${severity} ${stated.join(",")}::${escapeMessage(`${message}${instead}`)}`
}

const renderGithub = (page: FindingsPage): string =>
  [...page.findings.map(githubAnnotation), `action-risk ${page.command}: ${findingsCount(page)}`].join("\n")

/**
 * Findings as a Markdown table, for a comment on a pull request.
 * Text of a cell: a bar would end it, and brackets, stars or tags would be taken for Markdown; code stays code.
 */
const markdownCell = (text: string): string =>
  text
    .replaceAll(/\s+/g, " ")
    .split(/(`[^`]*`)/)
    .map((part, i) => (i % 2 === 1 ? part : part.replaceAll(/[\\*_[\]<>]/g, String.raw`\$&`)))
    .join("")
    .replaceAll("|", String.raw`\|`)

const markdownRow = ({ column, file, line, message, rule, severity, suggestion }: LocatedFinding): string => {
  const page = lintPage(rule)
  const named = page === null ? rule : `[${rule}](${page})`
  const instead =
    suggestion === undefined ? "" : `<br>write \`${suggestion.replaceAll("|", String.raw`\|`)}\``
  return `| ${severity} | ${named} | \`${file}:${line}:${column}\` | ${markdownCell(message)}${instead} |`
}

const renderMarkdown = (page: FindingsPage): string => {
  const heading = `### action-risk ${page.command}`
  const table = ["|   | Lint | Where | What |", "| - | - | - | - |", ...page.findings.map(markdownRow)]
  return [heading, "", ...(page.findings.length === 0 ? [] : [...table, ""]), `${findingsCount(page)}.`].join(
    "\n"
  )
}

/**
 * Findings as SARIF 2.1.0, which code review tools import.
 * Files are named from the root of the checkout, wherever that is.
 */
const sourceRoot = "SRCROOT"

const descriptor = (rule: string): ReportingDescriptor => {
  const page = lintPage(rule)
  return {
    id: rule,
    ...(isLint(rule)
      ? {
          shortDescription: { text: lints[rule].says },
          defaultConfiguration: { level: lints[rule].severity },
          properties: { category: lints[rule].category }
        }
      : {}),
    // `helpUri` must be absolute, and only the reader knows where this checkout is published.
    ...(page === null
      ? {}
      : {
          help: {
            text: `bad and good examples: ${page}`,
            markdown: `Bad and good examples: [${page}](${page})`
          }
        })
  }
}

const sarifResult = (
  { column, file, line, message, rule, severity, suggestion }: LocatedFinding,
  rules: ReadonlyArray<string>
): Result => ({
  ruleId: rule,
  ruleIndex: rules.indexOf(rule),
  level: severity,
  message: { text: suggestion === undefined ? message : `${message} (write: ${suggestion})` },
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri: encodeURI(file), uriBaseId: sourceRoot },
        region: { startLine: line, startColumn: column }
      }
    }
  ]
})

const sarifOf = ({ command, findings }: FindingsPage): Log => {
  const rules = [...new Set(findings.map(({ rule }) => rule))].toSorted()
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "action-risk", semanticVersion: version, rules: rules.map(descriptor) } },
        automationDetails: { id: `action-risk ${command}/` },
        columnKind: "utf16CodeUnits",
        results: findings.map((finding) => sarifResult(finding, rules))
      }
    ]
  }
}

const renderSarif = (page: FindingsPage): string => JSON.stringify(sarifOf(page), null, 2)

/**
 * Where a lint is explained: bad example, good example, why.
 * Below the root of this package; null for findings that are no lint's.
 */
const lintPage = (rule: string): string | null => (isLint(rule) ? `docs/lints/${rule}.md` : null)

/** The last line of a report: how much was looked at and how much was found. */
const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`

/** `112 files, no findings`; `112 files, 1 error and 3 warnings` */
const findingsCount = ({ findings, scope }: FindingsPage): string => {
  const errors = findings.filter(({ severity }) => severity === "error").length
  const warnings = findings.length - errors
  const parts = [
    ...(errors > 0 ? [counted(errors, "error")] : []),
    ...(warnings > 0 ? [counted(warnings, "warning")] : [])
  ]
  return `${scope}, ${parts.length === 0 ? "no findings" : parts.join(" and ")}`
}
