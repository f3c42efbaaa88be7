/** The outputs that README.md shows: a comment that names the command, and the fenced block below it. */

export interface Shown {
  readonly command: string
  readonly output: string
}

const pattern = /(?<=^<!-- starts the output of: (?<command>.+) -->\n+```text\n)(?<output>[\s\S]+?)(?=```$)/gm

export const shownOutputs = (readme: string): ReadonlyArray<Shown> =>
  [...readme.matchAll(pattern)].map(({ groups = {} }) => ({
    command: groups["command"] ?? "",
    output: groups["output"] ?? ""
  }))

/** The same document with each output as `run` gives it now, as many lines of it as were shown. */
export const refreshed = (readme: string, run: (command: string) => string): string =>
  readme.replace(pattern, (_all, command: string, output: string) => {
    const lines = output.split("\n").length - 1
    return `${run(command).split("\n").slice(0, lines).join("\n")}\n`
  })
