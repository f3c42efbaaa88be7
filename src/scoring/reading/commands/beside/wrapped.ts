/** Commands whose words stand behind those of another program, `poetry run rm -rf /`, and what a program sends away. It only adds acts. */

import type { PreparedProgram, PreparedReach } from "../prepareCommands.ts"
import type { CommandSession, Context } from "../CommandSession.ts"
import type { Arguments } from "../matchProgram.ts"
import { type CommandWord, type Flow, globFits } from "../paths.ts"

export type Invoke = (session: CommandSession, words: ReadonlyArray<CommandWord>, context: Context) => Flow

/** A call of a program, with what may run others. */
export interface Call {
  readonly session: CommandSession
  readonly program: PreparedProgram
  readonly words: ReadonlyArray<CommandWord>
  readonly given: Arguments
  readonly context: Context
  readonly invoke: Invoke
}

/** `exec|run *`: what stands in front of a command. */
export const standsInFront = (front: ReadonlyArray<string>, operands: ReadonlyArray<CommandWord>): boolean =>
  front.every((names, i) => {
    const word = operands[i]?.value
    return word !== undefined && (names === "*" || names.split("|").includes(word))
  })

/** Where a command may begin: at the first word that is no flag, and behind `--`. */
const beginnings = (
  words: ReadonlyArray<CommandWord>,
  values: ReadonlyArray<string>
): ReadonlyArray<number> => {
  const first = words.findIndex(({ value }, i) => {
    const isValue = i > 0 && values.includes(words[i - 1]?.value ?? "")
    return !value.startsWith("-") && !isValue && !/^[A-Za-z_]\w*=/.test(value)
  })
  const dashes = words.findIndex(({ value }) => value === "--")
  const behind = dashes === -1 || dashes + 1 >= words.length ? -1 : dashes + 1
  return [...new Set([first, behind])].filter((place) => place >= 0)
}

/** A program that nobody knows is a task of the project: of it, and of the project's scripts, the wrapper's own form speaks. */
const readInner = ({ context, invoke, session }: Call, words: ReadonlyArray<CommandWord>): void => {
  const before = { count: session.found.length, unread: session.unread }
  const { ownCode, unknownProgram } = session.commands.acts
  invoke(session, words, { ...context, depth: context.depth + 1 })
  const known = session.found
    .splice(before.count)
    .filter(({ act }) => act !== unknownProgram && act !== ownCode)
  session.found.push(...known)
  if (known.length === 0) session.unread = before.unread
}

export const readWrapped = (call: Call, reach: PreparedReach): void => {
  const { operands, places } = call.given
  for (const front of reach.runsWords) {
    const last = front.length === 0 ? -1 : places[front.length - 1]
    if (!standsInFront(front, operands) || last === undefined) continue
    const rest = call.words.slice(last + 1)
    for (const from of beginnings(rest, reach.values))
      if (!reach.tasks.some((glob) => globFits(glob, rest[from]?.value ?? "")))
        readInner(call, rest.slice(from))
  }
}

/** `ping -p $(cat key) x.y`, `openssl s_client < key`. */
export const readSent = (
  { context, program, session }: Call,
  { sends }: PreparedReach,
  values: ReadonlyArray<CommandWord>
): void => {
  const made = values.filter(({ dynamicFrom }) => dynamicFrom !== undefined)
  const flows = [
    ...(sends.includes("<") ? [context.stdin] : []),
    ...made.map(({ flow }) => ({ ...flow, data: true }))
  ]
  if (flows.some(({ secret }) => secret)) session.addNamed("secretSent", `${program.name}.send`)
  else if (flows.some(({ data }) => data === true)) session.addNamed("dataSent", `${program.name}.send`)
}
