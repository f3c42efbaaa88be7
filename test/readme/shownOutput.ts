/** The outputs that documents show: below a comment that names the command, or in a block that begins with the command. */

/** The documents whose commands tests run and whose outputs `npm run golden` refreshes. */
export const documents = [
  "README.md",
  "docs/rules.md",
  "docs/agreement.md",
  "docs/integration.md",
  "docs/configuration.md",
  "docs/agents/client.md",
  "docs/incidents.md"
] as const

export interface Shown {
  readonly command: string
  readonly output: string
}

const patterns = [
  /(?<=^<!-- starts the output of: (?<command>.+) -->\n+```text\n)(?<output>[\s\S]+?)(?=```$)/gm,
  /(?<=^```console\n\$ (?<command>.+)\n)(?<output>[\s\S]+?)(?=```$)/gm
]

/** The commands that change the working files before `draft` is compared with a release. */
export const changesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^<!-- changes a copy -->\n+```sh\n([\s\S]+?)```$/gm)].map(([, command = ""]) =>
    command.trim()
  )

/** Whether a command compares with the changed working files: it runs in a copy of the checkout, where they are changed. */
export const comparesDraft = (command: string): boolean => / draft(?: |$)/.test(command)

/** The same command, which also succeeds with exit code 1: the command found something, and a document may show that. */
export const orFound = (command: string): string => `${command} || test $? -eq 1`

export const shownOutputs = (text: string): ReadonlyArray<Shown> =>
  patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ groups = {} }) => ({
      command: groups["command"] ?? "",
      output: groups["output"] ?? ""
    }))
  )

/** The same document with each shown output replaced by the one that `run` gives now, cut to as many lines as before. */
export const refreshed = (document: string, run: (command: string) => string): string =>
  patterns.reduce(
    (text, pattern) =>
      text.replace(pattern, (_all, command: string, output: string) => {
        const lines = output.split("\n").length - 1
        return `${run(orFound(command)).split("\n").slice(0, lines).join("\n").trimEnd()}\n`
      }),
    document
  )
