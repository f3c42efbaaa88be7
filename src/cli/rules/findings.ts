/** Findings in the form of `--json`, and in each `--format`: for people, as SARIF, for GitHub, as Markdown. */

import { Schema } from "effect"
import { join } from "node:path"
import type { Log, ReportingDescriptor, Result } from "sarif"
import { onOneLine } from "../../foreignText.ts"
import { readBytes } from "../../json/jsonText.ts"
import { ruleFileBytesMax } from "../../limits.ts"
import { isLint, lints, type LocatedFinding } from "../../rules/Finding.ts"
import { packageRoot, type Root } from "../../rules/files/readTree.ts"
import { currentTerminal, lines, paragraph, type Terminal } from "../Terminal.ts"
import type { Format } from "../flags.ts"
import { findingCounts } from "../texts.ts"
import { int, members, optionalKey, string } from "../jsonShapes.ts"
import { version } from "../version.ts"
import { type Printed } from "../verb.ts"

interface FoundReport<Document> extends Omit<Printed<Document>, "text"> {
  /** The report for people; only the findings if absent. */
  readonly pretty?: () => string
  readonly page: FindingsPage
}

/** A report in the format named by `--format`. */
export const inFormat = <Document>(
  format: Format,
  { page, pretty, ...report }: FoundReport<Document>
): Printed<Document> => ({
  ...report,
  text: () =>
    format === "pretty" && pretty !== undefined ? pretty() : renderFindings(format, page, packageRoot)
})

/** `root`: the folder to which the file names in findings are relative. */
export const renderFindings = (
  format: Format,
  page: FindingsPage,
  root: Root,
  screen: Terminal = currentTerminal()
): string => renderers[format](page, root, screen)

export const findingFields = {
  rule: string("The lint, which has a page in docs/lints/."),
  severity: Schema.Literals(["error", "warning"]),
  file: Schema.String,
  line: int("From 1."),
  column: int("From 1, in UTF-16 code units."),
  message: Schema.String,
  suggestion: optionalKey(Schema.String, "A replacement for the marked text.")
}

/** A finding as printed by `--json`, the same in every command. */
export const Found = members(findingFields)

/** The findings of a command, ready to be printed in any format. */
export interface FindingsPage {
  /** The command's words after the program's name: `rules check`. */
  readonly command: string
  readonly findings: ReadonlyArray<LocatedFinding>
  /** The number of checked things, in words: `112 files`. */
  readonly scope: string
}

/** A finding for people: its place, the message, the line of the file, the suggestion, and the page of the lint. */
export const findingLines = (
  screen: Terminal,
  finding: LocatedFinding,
  line?: string
): ReadonlyArray<string> => {
  const { column, file, line: at, message, rule, severity, suggestion } = finding
  const colour = severity === "error" ? "red" : "yellow"
  const shown = excerpt(line, finding, screen.width - 6)
  const page = lintPage(rule)
  return lines(
    `${screen.color("cyan", `${file}:${at}:${column}`)} ${screen.color(colour, severity)} ${screen.color("dim", rule)}`,
    paragraph(screen, message),
    shown !== null && [`    ${shown.text}`, `    ${screen.color(colour, shown.marks)}`],
    suggestion !== undefined && `  write ${screen.color("green", suggestion)}`,
    page !== null && screen.color("dim", `  see ${page}`)
  )
}

const renderPretty = (page: FindingsPage, root: Root, screen: Terminal): string => {
  const lineOf = sourceLines(root)
  const blocks = page.findings.map((finding) =>
    findingLines(screen, finding, lineOf(finding.file, finding.line)).join("\n")
  )
  const style = page.findings.length === 0 ? "green" : "bold"
  return [...blocks, screen.color(style, findingsCount(page))].join("\n\n")
}

/** A string, a number or a word of JSON. */
const token = /^(?:"(?:[^"\\]|\\.)*"|[\w.+-]+)/

const cut = "… "

/** The line of a finding, and below it `^` under its token. Null if the line is missing or empty. */
const excerpt = (line: string | undefined, { column }: LocatedFinding, width: number) => {
  if (line === undefined || line.trim() === "") return null
  const start = column - 1
  const indent = Math.min(line.length - line.trimStart().length, start)
  const [meant = " "] = token.exec(line.slice(start)) ?? []
  const end = start + Math.min(meant.length, width - cut.length)
  // A long line is cut at its start, so that the token stays visible.
  const from = end - indent <= width ? indent : end - width + cut.length
  const before = (from === indent ? "" : cut) + onOneLine(line.slice(from, start))
  const marked = onOneLine(line.slice(start, end))
  return {
    text: (before + marked + onOneLine(line.slice(end))).slice(0, width),
    marks: " ".repeat(before.length) + "^".repeat(Math.max(1, marked.length))
  }
}

const readLines = (path: string): ReadonlyArray<string> => {
  const bytes = readBytes(path, ruleFileBytesMax)
  return typeof bytes === "string" ? [] : bytes.toString("utf8").split(/\r\n|\r|\n/)
}

/** Reads each file once. `line` starts at 1. Undefined if the file has no such line. */
const sourceLines = (root: Root) => {
  const files = new Map<string, ReadonlyArray<string>>()
  return (file: string, line: number): string | undefined => {
    const read = files.get(file) ?? readLines(join(root, file))
    files.set(file, read)
    return read[line - 1]
  }
}

const escapeMessage = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")

const escapeProperty = (text: string): string =>
  escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C")

const withSuggestion = ({ message, suggestion }: LocatedFinding): string =>
  suggestion === undefined ? message : `${message} (write: ${suggestion})`

const githubAnnotation = (finding: LocatedFinding): string => {
  const { column, file, line, rule, severity } = finding
  const properties = { file, line: String(line), col: String(column), title: rule }
  const stated = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`)
  return `::${severity} ${stated.join(",")}::${escapeMessage(withSuggestion(finding))}`
}

/** Workflow commands, which GitHub Actions shows at the lines of a pull request. */
const renderGithub = (page: FindingsPage): string =>
  [...page.findings.map(githubAnnotation), `action-risk ${page.command}: ${findingsCount(page)}`].join("\n")

/** The text of a table cell: escapes `|`, which would end the cell, and Markdown outside of code. */
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

/** A Markdown table for a pull request comment. */
const renderMarkdown = (page: FindingsPage): string => {
  const heading = `### action-risk ${page.command}`
  const table = ["|   | Lint | Where | What |", "| - | - | - | - |", ...page.findings.map(markdownRow)]
  return [heading, "", ...(page.findings.length === 0 ? [] : [...table, ""]), `${findingsCount(page)}.`].join(
    "\n"
  )
}

/** SARIF's name for the root of the checkout, to which the file names in results are relative. */
const sourceRoot = "SRCROOT"

const descriptor = (rule: string): ReportingDescriptor => {
  const page = lintPage(rule)
  return {
    id: rule,
    ...(isLint(rule) && {
      shortDescription: { text: lints[rule].says },
      defaultConfiguration: { level: lints[rule].severity },
      properties: { category: lints[rule].category }
    }),
    // No `helpUri`, which must be an absolute address: `page` is a path in the checkout, and where that is published is unknown.
    ...(page !== null && {
      help: {
        text: `bad and good examples: ${page}`,
        markdown: `Bad and good examples: [${page}](${page})`
      }
    })
  }
}

const sarifResult = (finding: LocatedFinding, rules: ReadonlyArray<string>): Result => {
  const { column, file, line, rule, severity } = finding
  const artifactLocation = { uri: encodeURI(file), uriBaseId: sourceRoot }
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level: severity,
    message: { text: withSuggestion(finding) },
    locations: [{ physicalLocation: { artifactLocation, region: { startLine: line, startColumn: column } } }]
  }
}

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

const renderers: Readonly<Record<Format, (page: FindingsPage, root: Root, screen: Terminal) => string>> = {
  pretty: renderPretty,
  sarif: renderSarif,
  github: renderGithub,
  markdown: renderMarkdown
}

/** The page that explains a lint, relative to the root of this package. Null for findings that do not come from a lint. */
const lintPage = (rule: string): string | null => (isLint(rule) ? `docs/lints/${rule}.md` : null)

/** `112 files, no findings`; `112 files, 1 error and 3 warnings` */
const findingsCount = ({ findings, scope }: FindingsPage): string =>
  `${scope}, ${findingCounts(findings) || "no findings"}`
