/** `npm run docs:cli` writes docs/cli.md: every command with its usage, arguments, flags, examples, reasons for exit code 1, settings, and the type of its JSON. */

import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { CliOutput, Command, type HelpDoc } from "effect/cli"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { commandTree } from "./src/cli/commandTree.ts"
import { sentence } from "./src/cli/texts.ts"
import { FactsOfVerb, type VerbFacts } from "./src/cli/verb.ts"
import { AppConfig } from "./src/config.ts"

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

/** Writes a JSON Schema as a TypeScript type, with the descriptions of fields as comments. */

/** Columns. */
const widthMax = 108

type Json = { readonly [key: string]: unknown }

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const objects = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value.filter(isObject) : [])

interface Drawing {
  readonly definitions: Json
  readonly indent: string
  /** The definitions around the current place. A definition inside itself is written as its name, which ends the recursion. */
  readonly within: ReadonlyArray<Json>
}

const literal = (value: unknown): string => JSON.stringify(value)

/** The members without duplicates, `null` last. */
const union = (members: ReadonlyArray<string>): string => {
  const unique = [...new Set(members)]
  return [
    ...unique.filter((member) => member !== "null"),
    ...unique.filter((member) => member === "null")
  ].join(" | ")
}

/** Breaks a long union over several lines. */
const folded = (drawn: string, indent: string): string => {
  if (drawn.includes("\n") || drawn.length <= widthMax || !drawn.includes(" | ")) return drawn
  const lines = [`${indent}  `]
  for (const member of drawn.split(" | ")) {
    const line = `${lines.at(-1)}| ${member} `
    if (line.length <= widthMax) lines.splice(-1, 1, line)
    else lines.push(`${indent}  | ${member} `)
  }
  return `\n${lines.map((line) => line.trimEnd()).join("\n")}`
}

const arrayOf = (schema: Json, drawing: Drawing): string => {
  const prefix = objects(schema["prefixItems"])
  if (prefix.length > 0) return `[${prefix.map((item) => draw(item, drawing)).join(", ")}]`
  const item = isObject(schema["items"]) ? draw(schema["items"], drawing) : "unknown"
  return `Array<${item}>`
}

const recordOf = (schema: Json, drawing: Drawing): string => {
  const value =
    schema["additionalProperties"] ??
    Object.values(isObject(schema["patternProperties"]) ? schema["patternProperties"] : {})[0]
  return `Record<string, ${isObject(value) ? draw(value, drawing) : "unknown"}>`
}

const structOf = (schema: Json, properties: Json, drawing: Drawing): string => {
  const required = Array.isArray(schema["required"]) ? schema["required"] : []
  const inner = { ...drawing, indent: `${drawing.indent}  ` }
  const lines = Object.entries(properties).map(([name, property]) => {
    const field = isObject(property) ? property : {}
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
    const description = descriptionOf(field, drawing)
    const type = folded(draw(field, inner), inner.indent)
    const drawn = `${inner.indent}${key}${required.includes(name) ? "" : "?"}: ${type}`.replace(": \n", ":\n")
    if (description === null) return drawn
    return drawn.includes("\n") || drawn.length + description.length > widthMax
      ? `${inner.indent}// ${description}\n${drawn}`
      : `${drawn} // ${description}`
  })
  return lines.length === 0 ? "{}" : `{\n${lines.join("\n")}\n${drawing.indent}}`
}

/** The description of a field, or of the definition that it refers to. */
const descriptionOf = (schema: Json, drawing: Drawing): string | null => {
  const own = [schema, ...objects(schema["allOf"])]
    .map((part) => part["description"])
    .find((text) => typeof text === "string")
  if (typeof own === "string") return own.replace(/\.$/, "")
  const target = referenced(schema, drawing)
  return target === null ? null : descriptionOf(target, drawing)
}

const nameOf = (schema: Json): string => String(schema["$ref"] ?? "").replace(/^.*\//, "")

const referenced = (schema: Json, { definitions }: Drawing): Json | null => {
  const target = definitions[nameOf(schema)]
  return isObject(target) ? target : null
}

const draw = (schema: Json, drawing: Drawing): string => {
  const target = referenced(schema, drawing)
  if (target !== null)
    return drawing.within.includes(target)
      ? nameOf(schema)
      : draw(target, { ...drawing, within: [...drawing.within, target] })
  if (schema["const"] !== undefined) return literal(schema["const"])
  if (Array.isArray(schema["enum"])) return union(schema["enum"].map(literal))
  const choices = [...objects(schema["anyOf"]), ...objects(schema["oneOf"])]
  if (choices.length > 0) return union(choices.map((choice) => draw(choice, drawing)))
  if (Array.isArray(schema["type"]))
    return union(schema["type"].map((type) => draw({ ...schema, type }, drawing)))
  if (schema["type"] === "array") return arrayOf(schema, drawing)
  if (schema["type"] === "object")
    return isObject(schema["properties"])
      ? structOf(schema, schema["properties"], drawing)
      : recordOf(schema, drawing)
  return scalars.get(String(schema["type"])) ?? "unknown"
}

const scalars = new Map([
  ["string", "string"],
  ["integer", "number"],
  ["number", "number"],
  ["boolean", "boolean"],
  ["null", "null"]
])

/** `definitions`: the targets of `$ref`. */
export const typeText = (schema: unknown, definitions: unknown): string =>
  draw(isObject(schema) ? schema : {}, {
    definitions: isObject(definitions) ? definitions : {},
    indent: "",
    within: []
  })

if (import.meta.main)
  writeFileSync(join(import.meta.dirname, "docs/cli.md"), cliPage(await Effect.runPromise(everyCommand)))
