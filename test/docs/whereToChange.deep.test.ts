/** The table "Where do I change …" of docs/architecture.md is correct: the test follows it to make five additions in a copy of the checkout. */

import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { lightCheckout } from "../support/checkout.ts"

const root = join(import.meta.dirname, "../..")
const page = readFileSync(join(root, "docs/architecture.md"), "utf8")

/** Either a new file, or text to insert before a text in the file. */
type Edit =
  | { readonly file: string; readonly text: string }
  | { readonly file: string; readonly add: string; readonly before: string }

interface Addition {
  /** The first cell of the row that says where. */
  readonly row: string
  /** The number of files to change, which should only fall. */
  readonly files: number
  readonly edits: ReadonlyArray<Edit>
}

const factor = "rules/factors/action/COMMAND_CONTRADICTS_TYPE"
const like = (path: string): string =>
  readFileSync(join(root, path), "utf8").replaceAll("COMMAND_CONTRADICTS_TYPE", "ADDED_FACTOR")

const additions: ReadonlyArray<Addition> = [
  {
    row: "a field of the request",
    files: 5,
    edits: [
      {
        file: "src/api/AssessmentRequest.ts",
        add: 'ticket: optional(textField(agentIdMax, "The ticket that asks for it.")),\n  ',
        before: "metadata: optional("
      },
      {
        file: "src/domain/Action.ts",
        add: "readonly ticket?: string\n  ",
        before: "/** Echoed into the record. The"
      },
      {
        file: "src/rules/history/recordedInput.ts",
        add: '["ticket", { name: "ticket", ...textField }],\n  ',
        before: '["target_system",'
      },
      {
        file: "src/scoring/HistoryRecord.ts",
        add: "ticket: action.ticket,\n    ",
        before: "toolCall: action."
      },
      {
        file: "src/rules/files/caseFiles.ts",
        add: "ticket: Schema.optionalKey(upTo(agentIdMax)),\n  ",
        before: "metadata: FreeForm,"
      }
    ]
  },
  {
    row: "when a factor fires, or what it says",
    files: 2,
    edits: [
      { file: "rules/factors/action/ADDED_FACTOR.json", text: like(`${factor}.json`) },
      {
        file: "rules/factors/action/ADDED_FACTOR.cases.json",
        text: like(`${factor}.cases.json`).replace('"action_type": "file.read",', '$&"ticket": "OPS-1",')
      }
    ]
  },
  {
    row: "how a tool, a word or a command is read",
    files: 1,
    edits: [
      {
        file: "rules/lexicon/programs/acmectl.json",
        text: `{
  "$schema": "../../../schemas/program.schema.json",
  "names": "acmectl",
  "why": "The client of Acme's store.",
  "forms": [["buckets purge", "bucket.purge destroy critical anywhere irreversible"], ["", "buckets.read read"]]
}
`
      }
    ]
  },
  {
    row: "an endpoint",
    files: 3,
    edits: [
      {
        file: "src/api/Statistics.ts",
        add: `const getDays = HttpApiEndpoint.get("getDays", "/api/v1/statistics/days", {
  success: Statistics,
  error: operationErrors
})
  .annotate(RequiredScope, "read")
  .annotateMerge(OpenApi.annotations({ identifier: "getDays", summary: "Count days", description: "The days." }))

`,
        before: "export const StatisticsGroup"
      },
      { file: "src/api/Statistics.ts", add: ".add(getDays)\n  ", before: ".middleware(Authorization)" },
      {
        file: "src/api/openApi.ts",
        add: 'getDays: { success: "The days.", answer: exampleStatistics },\n  ',
        before: "getStatistics: {"
      },
      {
        file: "src/server/handlers/assessments.ts",
        add: "getDays: getStatistics, ",
        before: "getStatistics }\n"
      }
    ]
  },
  {
    row: "a screen of the console",
    files: 3,
    edits: [
      {
        file: "src/console/pages/helpPage.ts",
        text: `/** Help. */

import { type Markup, markup } from "../../markup.ts"
import { framed, type Visitor } from "../parts/frame.ts"

export const helpPage = (visitor: Visitor): Markup =>
  framed({ title: "Help", visitor, at: "help", body: markup\`<h1>Help</h1>\` })
`
      },
      {
        file: "src/console/evidenceScreens.ts",
        add: `{
    method: "GET",
    path: /^help$/,
    scope: "read",
    show: ({ caller }) => Effect.succeed(pageResponse(helpPage(caller)))
  },
  `,
        before: '{ method: "GET", path: /^evidence$/'
      },
      {
        file: "src/console/evidenceScreens.ts",
        add: 'import { helpPage } from "./pages/helpPage.ts"\n',
        before: 'import { pageResponse } from "./respond.ts"'
      },
      {
        file: "src/console/parts/frame.ts",
        add: '{ path: "help", name: "Help", scope: "read" },\n  ',
        before: '{ path: "webhooks",'
      }
    ]
  }
]

const rowOf = (row: string): string =>
  page.split("\n").find((line) => line.startsWith(`| ${row} `)) ?? `no row is called ${row}`

/** The files, folders and patterns of a row, from the root or from the folder of the file before it. */
const namedIn = (row: string): ReadonlyArray<string> => {
  const [, , ...cells] = rowOf(row).split("|")
  return [...cells.join("|").matchAll(/`([\w./*-]+)`/g)].map(([, path = ""]) => path)
}

const isNamed = (file: string, names: ReadonlyArray<string>): boolean =>
  names.some((name) => {
    const pattern = name.replaceAll(".", String.raw`\.`).replaceAll("*", "[^/]*")
    return new RegExp(`(?:^|/)${pattern}${name.endsWith("/") ? "" : "(?:$|/)"}`).test(file)
  })

let copy = ""
const run = (command: string, args: ReadonlyArray<string>, input = ""): string => {
  try {
    return execFileSync(command, args, { cwd: copy, encoding: "utf8", input, stdio: "pipe" })
  } catch (cause) {
    // The test shows the output of a command that fails.
    const { stderr, stdout } = cause as { readonly stderr: string; readonly stdout: string }
    return `${stdout}${stderr}`
  }
}
const actionRisk = (...args: ReadonlyArray<string>) => run(process.execPath, ["src/main.ts", ...args])

const apply = (edit: Edit): void => {
  const path = join(copy, edit.file)
  if ("text" in edit) {
    expect([edit.file, existsSync(path)]).toEqual([edit.file, false])
    writeFileSync(path, edit.text)
    return
  }
  const text = readFileSync(path, "utf8")
  expect([edit.file, text.includes(edit.before)]).toEqual([edit.file, true])
  writeFileSync(
    path,
    text.replace(edit.before, () => edit.add + edit.before)
  )
}

beforeAll(() => {
  copy = lightCheckout(join(mkdtempSync(join(tmpdir(), "action-risk-where-")), "copy"))
  cpSync(join(root, "schemas"), join(copy, "schemas"), { recursive: true })
  const config = { extends: "./tsconfig.all.json", include: ["src"] }
  cpSync(join(root, "tsconfig.json"), join(copy, "tsconfig.all.json"))
  writeFileSync(join(copy, "tsconfig.json"), JSON.stringify(config))
  for (const edit of additions.flatMap(({ edits }) => edits)) apply(edit)
  // Below the table: a change of rules needs a new version.
  const ruleset = join(copy, "rules/ruleset.json")
  const text = readFileSync(ruleset, "utf8")
  writeFileSync(ruleset, text.replace(/"version": ".+?"/, '"version": "99.0.0"'))
})
afterAll(() => rmSync(dirname(copy), { recursive: true }))

describe("the table of where to change what", () => {
  it.each(additions)("names the files of: $row, $files", ({ edits, files: count, row }) => {
    const files = [...new Set(edits.map(({ file }) => file))]
    expect(files).toHaveLength(count)
    expect(files.filter((file) => !isNamed(file, namedIn(row)))).toEqual([])
  })

  it("leaves nothing out that the compiler or a check asks for", () => {
    expect(run(process.execPath, ["node_modules/typescript/bin/tsc", "--noEmit"])).toBe("")
    expect(actionRisk("rules", "check")).toMatch(/no findings/)
    expect(actionRisk("rules", "test")).toMatch(/all hold, no findings/)
  })

  it("makes additions that work", () => {
    const request = {
      action_type: "file.read",
      environment: "development",
      action_description: "rm -rf /",
      ticket: "OPS-1"
    }
    const answer = run(
      process.execPath,
      ["src/main.ts", "assess", "-", "--rules", "draft"],
      JSON.stringify(request)
    )
    expect(answer).toContain("ADDED_FACTOR")
    expect(actionRisk("assess", "--shell", "acmectl buckets purge", "--rules", "draft")).toContain(
      "bucket.purge"
    )
    const paths = `import { OpenApi } from "effect/http-api"; import { Api } from "./src/api/Api.ts"; console.log(Object.keys(OpenApi.fromApi(Api).paths).join("\\n"))`
    expect(run(process.execPath, ["--input-type=module", "-e", paths])).toContain("/api/v1/statistics/days")
  })
})
