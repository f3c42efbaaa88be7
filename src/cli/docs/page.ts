/** docs/cli.md: every command with its usage, arguments, flags, examples, reasons for exit code 1, settings, and the type of its JSON. */

import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Option, Schema } from "effect"
import { CliOutput, Command, type HelpDoc } from "effect/cli"
import { AppConfig } from "../../config.ts"
import { commandTree } from "../commandTree.ts"
import { jsonSchemas } from "./jsonSchemas.ts"
import { typeText } from "./typeText.ts"

export const cliPage = (commands: ReadonlyArray<CommandHelp>): string =>
  [
    ...introduction,
    "## The commands",
    commands
      .map(({ help, words }) => `- [\`${words.join(" ")}\`](#${anchorOf(words)}): ${help.description}`)
      .join("\n"),
    ...commands.flatMap(commandSection)
  ].join("\n\n") + "\n"

/** The anchor that GitHub generates from the heading. */
const anchorOf = (words: ReadonlyArray<string>): string => `action-risk-${words.join("-")}`

const commandSection = ({ help, words }: CommandHelp): ReadonlyArray<string> => [
  `## \`action-risk ${words.join(" ")}\``,
  sentence(help.description),
  fenced("text", help.usage),
  ...[...(help.args ?? []).map(argument), ...help.flags.map(flag)].join("\n").split("\n\n").filter(Boolean),
  ...examples(help.examples ?? []),
  ...ending(words.join(" ")),
  ...listening(words.join(" ")),
  ...printed(words.join(" "))
]

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``

const parameterLine = (
  name: string,
  notes: ReadonlyArray<string>,
  description: Option.Option<string>
): string => {
  const note = notes.length === 0 ? "" : ` (${notes.join(", ")})`
  return `- \`${name}\`${note}${Option.match(description, { onNone: () => "", onSome: (text) => `: ${text}` })}`
}

const argument = ({ description, name, required, variadic }: HelpDoc.ArgDoc): string =>
  parameterLine(
    `<${name}>`,
    [...(required ? [] : ["optional"]), ...(variadic ? ["as many as you like"] : [])],
    description
  )

/** The help in the terminal calls the type `choice` and lists the words after the description. This page shows the words as the type. */
const choices = / \(choices: (.+)\)$/

const flag = ({ description, name, required, type }: HelpDoc.FlagDoc): string => {
  const text = Option.getOrElse(description, () => "")
  const words = choices.exec(text)?.[1]?.replaceAll(", ", "|")
  const value = type === "boolean" ? "" : ` <${type === "choice" && words !== undefined ? words : type}>`
  return parameterLine(
    `--${name}${value}`,
    required ? ["required"] : [],
    Option.some(text.replace(choices, ""))
  )
}

const examples = (given: ReadonlyArray<HelpDoc.ExampleDoc>): ReadonlyArray<string> =>
  given.length === 0
    ? []
    : [
        fenced(
          "sh",
          given.map(({ command, description }) => `# ${description ?? ""}\n${command}`).join("\n\n")
        )
      ]

const ending = (command: string): ReadonlyArray<string> => {
  const when = exitOneReasons[command]
  return when === undefined ? [] : [`Ends with 1 when ${when}.`]
}

const listening = (command: string): ReadonlyArray<string> => {
  const variables = settingsOfCommand[command]
  return variables === undefined ? [] : [`Settings: ${variables}.`]
}

const printed = (command: string): ReadonlyArray<string> => {
  const shape = jsonSchemas[command]
  if (shape === undefined) return []
  const { definitions, schema } = Schema.toJsonSchemaDocument(shape)
  return ["With `--json` it prints:", fenced("ts", typeText(schema, definitions))]
}

const exitCodesText = `Exit codes: 0 for success, 1 when a command refuses to work or finds what it looks for (findings, failing cases, a counterexample), 2
for wrong usage, 3 for an error of this program. A refusal is one line on standard error that says what to do.`

const settingsText = `Settings are environment variables; docs/configuration.md has the table. The commands on rules and policies need no database, no server and no
network, except where \`--history database\` or \`policies suggest <set> database\` read from a database. All
commands respect \`NO_COLOR\` and \`FORCE_COLOR\`.`

const jsonText = `With \`--json\` a command prints one JSON document on standard output and nothing else (\`webhooks listen\` prints one line for each
delivery; \`assess --batch\` one for each request, also without \`--json\`). The section of the command shows the type of the document in
TypeScript. A minor version may add fields; only a major version renames or removes them.`

const completionsText = `In bash, zsh and fish the shell completes commands and flags, under the name that the first line defines:`

const completionsCode = `\`\`\`sh
alias action-risk='npx action-risk'
npx action-risk --completions bash >> ~/.bashrc
npx action-risk --completions zsh > "\${fpath[1]}/_action-risk"
npx action-risk --completions fish > ~/.config/fish/completions/action-risk.fish
\`\`\``

const introduction: ReadonlyArray<string> = [
  "# The commands of `action-risk`",
  "`npm run docs:cli` writes this page from the commands themselves.",
  exitCodesText,
  settingsText,
  jsonText,
  completionsText,
  completionsCode
]

/** The reasons for exit code 1 of each command; wrong usage is exit code 2. */
export const exitOneReasons: Readonly<Record<string, string>> = {
  serve: "a setting is wrong, the port is taken, or another process serves this data directory",
  migrate: "the database does not answer or is too old",
  status: "there is no database to read",
  "orgs create": "the organization exists already, or there is no such policy set",
  "orgs list": "the database does not answer",
  "orgs set-policies": "there is no such organization, or no such policy set",
  "keys create": "there is no such organization",
  "console link": "there is no such organization, or the settings name no console",
  "keys list": "there is no such organization",
  "keys revoke": "there is no such key",
  "rules check": "there are findings",
  "policies check": "there are findings",
  "rules prove-not-lower":
    "a request scores lower or gets a weaker control, or the proof could not be decided",
  "policies prove-not-lower":
    "a request scores lower or gets a weaker control, or the proof could not be decided",
  "rules release": "a gate is not passed, and nothing was released",
  "policies suggest": "a line is no request, or the release reads no catalogue",
  "policies release": "a gate is not passed, and nothing was released",
  "rules backtest": "a level fell, a line cannot be read, or the file is no history",
  "policies backtest": "a level fell, a line cannot be read, or the file is no history",
  "rules diff": "the rules cannot be read; it ends with 0 whatever it finds",
  "policies diff": "the policies cannot be read; it ends with 0 whatever it finds",
  "rules report":
    "the rules or the history cannot be read, or the file cannot be written; it ends with 0 whatever the report says",
  "policies report":
    "the policies or the history cannot be read, or the file cannot be written; it ends with 0 whatever the report says",
  "evidence export": "there is no such organization, or the file cannot be written",
  "evidence verify":
    "a row is broken, a checkpoint was not signed by the key or contradicts the chain, or nothing can be read",
  "outcomes record": "the service cannot be reached, or did not take the event; one line says why",
  "outcomes report": "there is no such organization",
  "outcomes labels": "there is no such organization, or the file cannot be written",
  "outcomes export": "there is no such organization, or the file cannot be written",
  "evidence checkpoint":
    "there is no such organization, it has no sealed assessment yet, or the file cannot be written",
  "evidence public-key": "the key cannot be read",
  "evidence replay": "an answer is different or cannot be computed again, or there is no such assessment",
  "webhooks listen": "the port is taken",
  "webhooks list": "there is no such organization or endpoint",
  "webhooks create":
    "there is no such organization, the endpoint is one that the API would refuse, or there are as many as there may be",
  "webhooks redeliver": "there is no such organization, endpoint or delivery, or the endpoint is disabled",
  "webhooks test": "there is no such organization or endpoint, or the endpoint is disabled",
  "evidence erase":
    "there is no such organization or assessment, or some are too new: those are erased by the same command ten seconds later",
  "rules facts": "the rule files cannot be used",
  "rules list": "the rule files cannot be used",
  codes: "the rule files cannot be used",
  "rules show": "the rule files cannot be used",
  "rules test": "a case fails, there are no cases, or with `--coverage` something is not reached",
  "rules explain": "the request or the history cannot be read or is not valid",
  "rules agree": "the labels or the pairs cannot be read or are not valid; it ends with 0 whatever it finds",
  "rules mutate": "fewer mutants are killed than `--min` says, or a case fails without any change",
  "policies list": "the folder of the policy sets cannot be read",
  "policies show": "the files of the set cannot be used",
  "policies test": "a case fails, there are no cases, or with `--coverage` something is not reached",
  "policies explain": "the request or the history cannot be read or is not valid, or the set cannot be used",
  "policies mutate": "fewer mutants are killed than `--min` says, or a case fails without any change",
  assess: "the request or the history cannot be read or is not valid, or with `--batch` a line was refused",
  ask: "the request cannot be read or is not valid, no key is set, or there is no opinion",
  "tools scaffold":
    "the file cannot be read, or lists no tools that are known here, or the server did not list its tools",
  "tools check": "there are problems, or the file cannot be read",
  "tools gaps":
    "there are gaps, the file or the mapping cannot be read, or the server did not list its tools",
  "mcp serve": "no key is set",
  demo: "the service could not be started"
}

/** The environment variables that each command reads, apart from those for logs and colors. A command without a line reads no others. */
const everyVariable = "every variable of docs/configuration.md"
const database = "`DATABASE_URL`, `DATA_DIR`"
const historyInDatabase = `with \`--history database\`: ${database}`

export const settingsOfCommand: Readonly<Record<string, string>> = {
  serve: everyVariable,
  migrate: "`DATABASE_URL`, `DATA_DIR`",
  status: "`DATABASE_URL`, `DATA_DIR`, and `HOST`, `PORT` or `PUBLIC_URL` to find the server",
  "orgs create": database,
  "orgs list": database,
  "orgs set-policies": database,
  "keys create": `${database} and, with an external database, \`KEY_PEPPER\``,
  "console link": `${database}, \`CONSOLE_PORT\`, \`CONSOLE_HOST\`, \`CONSOLE_URL\` and, with an external database, \`KEY_PEPPER\``,
  "keys list": database,
  "keys revoke": database,
  "evidence export": database,
  "evidence verify": `of a database: ${database}; with \`--checkpoint\` and without \`--public-key\`, \`EVIDENCE_KEY\` too`,
  "evidence checkpoint": `${database} and \`EVIDENCE_KEY\``,
  "evidence replay": database,
  "evidence public-key": "`EVIDENCE_KEY`, `DATA_DIR`",
  "outcomes record": "`ACTION_RISK_URL`, `ACTION_RISK_KEY`",
  "outcomes report": database,
  "outcomes labels": database,
  "outcomes export": database,
  "webhooks listen": "`WEBHOOK_SECRET`",
  "webhooks list": database,
  "webhooks create": `${database}, \`WEBHOOK_ALLOW_INSECURE\` and, with an external database, \`KEY_PEPPER\``,
  "webhooks redeliver": database,
  "webhooks test": database,
  assess: "`RULES_VERSION`, `RULE_ENGINE`; with `--batch`, `PUBLIC_URL` for the links of refused lines",
  ask: "`ACTION_RISK_URL`, `ACTION_RISK_KEY`",
  "tools gaps": "`RULES_VERSION`, `RULE_ENGINE`",
  "mcp serve": "`ACTION_RISK_URL`, `ACTION_RISK_KEY`",
  "rules explain": "`RULES_VERSION`",
  "rules agree": "`RULES_VERSION`",
  "policies explain": "`RULES_VERSION`",
  "policies test": "`RULES_VERSION`",
  "policies mutate": "`RULES_VERSION`",
  "rules backtest": historyInDatabase,
  "policies backtest": historyInDatabase,
  "rules report": historyInDatabase,
  "policies report": historyInDatabase
}

/** The help of every command, in the order of the command tree. */
const actionRisk = await commandTree()

/** A command without subcommands. `words`: `["rules", "check"]`. */
interface CommandHelp {
  readonly words: ReadonlyArray<string>
  readonly help: HelpDoc.HelpDoc
}

/** Runs the command with `--help`, so that docs/cli.md and the terminal cannot differ. */
const helpOf = (words: ReadonlyArray<string>): Effect.Effect<HelpDoc.HelpDoc> =>
  Effect.suspend(() => {
    const printed: Array<HelpDoc.HelpDoc> = []
    const presenter = CliOutput.layerPresenter({
      present: (event) =>
        Effect.sync(() => {
          if (event._tag === "Help") printed.push(event.helpDoc)
        })
    })
    return Command.runWith(actionRisk, { version: "" })([...words, "--help"]).pipe(
      Effect.provide(Layer.mergeAll(presenter, NodeServices.layer, AppConfig.layer)),
      Effect.orDie,
      Effect.flatMap(() => {
        const [help] = printed
        return help === undefined ? Effect.die(`no help for ${words.join(" ")}`) : Effect.succeed(help)
      })
    )
  })

const below = (words: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<CommandHelp>> =>
  helpOf(words).pipe(
    Effect.flatMap((help) => {
      const verbs = (help.subcommands ?? []).flatMap(({ commands }) => commands.map(({ name }) => name))
      return verbs.length === 0 && words.length > 0
        ? Effect.succeed([{ words, help }])
        : Effect.forEach(verbs, (verb) => below([...words, verb])).pipe(Effect.map((lists) => lists.flat()))
    })
  )

export const everyCommand = below([])
