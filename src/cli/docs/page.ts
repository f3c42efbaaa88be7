/** docs/cli.md: every command with its usage, arguments, flags, examples, endings, and what it prints for programs. */

import { Option, Schema } from "effect"
import type { HelpDoc } from "effect/cli"
import { shapes } from "../shapes.ts"
import type { CommandHelp } from "./commandHelp.ts"
import { endings } from "./endings.ts"
import { introduction } from "./introduction.ts"
import { settings } from "./settings.ts"
import { typeText } from "./typeText.ts"

export const cliPage = (commands: ReadonlyArray<CommandHelp>): string =>
  [
    ...introduction,
    "## The commands",
    commands
      .map(({ help, words }) => `- [\`${words.join(" ")}\`](#${anchorOf(words)}): ${help.description}`)
      .join("\n"),
    ...commands.flatMap(section)
  ].join("\n\n") + "\n"

/** As GitHub makes it from the heading. */
const anchorOf = (words: ReadonlyArray<string>): string => `action-risk-${words.join("-")}`

const section = ({ help, words }: CommandHelp): ReadonlyArray<string> => [
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

const said = (name: string, notes: ReadonlyArray<string>, description: Option.Option<string>): string => {
  const note = notes.length === 0 ? "" : ` (${notes.join(", ")})`
  return `- \`${name}\`${note}${Option.match(description, { onNone: () => "", onSome: (text) => `: ${text}` })}`
}

const argument = ({ description, name, required, variadic }: HelpDoc.ArgDoc): string =>
  said(
    `<${name}>`,
    [...(required ? [] : ["optional"]), ...(variadic ? ["as many as you like"] : [])],
    description
  )

/** The terminal calls a few words `choice` and lists them behind; here they stand where they are typed. */
const choices = / \(choices: (.+)\)$/

const flag = ({ description, name, required, type }: HelpDoc.FlagDoc): string => {
  const text = Option.getOrElse(description, () => "")
  const words = choices.exec(text)?.[1]?.replaceAll(", ", "|")
  const value = type === "boolean" ? "" : ` <${type === "choice" && words !== undefined ? words : type}>`
  return said(`--${name}${value}`, required ? ["required"] : [], Option.some(text.replace(choices, "")))
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
  const when = endings[command]
  return when === undefined ? [] : [`Ends with 1 when ${when}.`]
}

const listening = (command: string): ReadonlyArray<string> => {
  const variables = settings[command]
  return variables === undefined ? [] : [`Settings: ${variables}.`]
}

const printed = (command: string): ReadonlyArray<string> => {
  const shape = shapes[command]
  if (shape === undefined) return []
  const { definitions, schema } = Schema.toJsonSchemaDocument(shape)
  return ["With `--json` it prints:", fenced("ts", typeText(schema, definitions))]
}
