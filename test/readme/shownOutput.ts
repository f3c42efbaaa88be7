/** The outputs that README.md shows: a comment that names the command above the block, or a block that begins with it. */

export interface Shown {
  readonly command: string
  readonly output: string
}

const patterns = [
  /(?<=^<!-- starts the output of: (?<command>.+) -->\n+```text\n)(?<output>[\s\S]+?)(?=```$)/gm,
  /(?<=^```console\n\$ (?<command>.+)\n)(?<output>[\s\S]+?)(?=```$)/gm
]

/** Ends well also where the command has found what it looks for, which a document shows as gladly. */
export const orFound = (command: string): string => `${command} || test $? -eq 1`

export const shownOutputs = (readme: string): ReadonlyArray<Shown> =>
  patterns.flatMap((pattern) =>
    [...readme.matchAll(pattern)].map(({ groups = {} }) => ({
      command: groups["command"] ?? "",
      output: groups["output"] ?? ""
    }))
  )

/** The same document with each output as `run` gives it now, as many lines of it as were shown. */
export const refreshed = (readme: string, run: (command: string) => string): string =>
  patterns.reduce(
    (text, pattern) =>
      text.replace(pattern, (_all, command: string, output: string) => {
        const lines = output.split("\n").length - 1
        return `${run(orFound(command)).split("\n").slice(0, lines).join("\n").trimEnd()}\n`
      }),
    readme
  )
