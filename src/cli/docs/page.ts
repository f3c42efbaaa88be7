/** docs/cli.md: every command with its usage, arguments, flags, examples, reasons for exit code 1, settings, and the type of its JSON. */

import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { CliOutput, Command, type HelpDoc } from "effect/cli"
import { AppConfig } from "../../config.ts"
import { commandTree } from "../commandTree.ts"
import { sentence } from "../texts.ts"
import { FactsOfVerb, type VerbFacts } from "../verb.ts"
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

const commandSection = ({ facts, help, words }: CommandHelp): ReadonlyArray<string> => [
  `## \`action-risk ${words.join(" ")}\``,
  sentence(help.description),
  fenced("text", help.usage),
  ...[...(help.args ?? []).map(argument), ...help.flags.map(flag)].join("\n").split("\n\n").filter(Boolean),
  ...examples(help.examples ?? []),
  ...endings(facts)
]

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

/** How the verb ends, what it reads, and what it prints for programs. */
const endings = ({ fails, prints, reads }: VerbFacts): ReadonlyArray<string> => [
  `Ends with 1 when ${fails}.`,
  ...(reads === undefined ? [] : [`Settings: ${reads}.`]),
  ...(prints === undefined ? [] : ["With `--json` it prints:", fenced("ts", shapeText(prints))])
]

const shapeText = (shape: Schema.Constraint): string => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(shape)
  return typeText(schema, definitions)
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

/** The help of every command, in the order of the command tree. */
const actionRisk = await commandTree()

/** A command without subcommands. `words`: `["rules", "check"]`. */
interface CommandHelp {
  readonly words: ReadonlyArray<string>
  readonly help: HelpDoc.HelpDoc
  readonly facts: VerbFacts
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
      const facts = Context.get(help.annotations, FactsOfVerb)
      return facts !== null
        ? Effect.succeed([{ words, help, facts }])
        : Effect.forEach(verbs, (verb) => below([...words, verb])).pipe(Effect.map((lists) => lists.flat()))
    })
  )

export const everyCommand = below([])
