/** Findings as SARIF 2.1.0, which code review tools import. */

import type { Log, ReportingDescriptor, Result } from "sarif"
import { isLint, lints } from "../../../rules/Lint.ts"
import type { LocatedFinding } from "../../../rules/LocatedFinding.ts"
import { version } from "../../version.ts"
import type { FindingsPage } from "./FindingsPage.ts"
import { lintPage } from "./lintPage.ts"

/** Files are named from the root of the checkout, wherever that is. */
const root = "SRCROOT"

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

const result = (
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
        artifactLocation: { uri: encodeURI(file), uriBaseId: root },
        region: { startLine: line, startColumn: column }
      }
    }
  ]
})

export const sarifOf = ({ command, findings }: FindingsPage): Log => {
  const rules = [...new Set(findings.map(({ rule }) => rule))].toSorted()
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "action-risk", semanticVersion: version, rules: rules.map(descriptor) } },
        automationDetails: { id: `action-risk ${command}/` },
        columnKind: "utf16CodeUnits",
        results: findings.map((finding) => result(finding, rules))
      }
    ]
  }
}

export const renderSarif = (page: FindingsPage): string => JSON.stringify(sarifOf(page), null, 2)
