/** Lines of a `crontab`: each is a command that runs again and again. */

import { noFlow } from "./paths.ts"
import type { Context, CommandSession } from "./CommandSession.ts"

/** Each run of letters can be read in one way only: `LLL` is three last days or a name, and a pattern that tries both never ends. */
const scheduleField = /(?:[\d*/,?#-]|[LW]+(?![a-z])|(?![LW]+(?![a-z]))[LW]*?[a-z]{3}(?!\w))+/.source
const scheduleFields = new RegExp(`^\\s*(?:@\\w+|${scheduleField}(?:\\s+${scheduleField}){4})\\s+`, "i")

/** `crontab -`, `at`: each line that comes in is a command that will run by a schedule. */
export const readSchedule = (session: CommandSession, context: Context): void => {
  const { stdin } = context
  const inside = { ...context, stdin: noFlow, scheduled: true, depth: context.depth + 1 }
  if (session.runsCodeFrom({ ...stdin, text: undefined }, inside) || stdin.text === undefined) return
  for (const line of stdin.text.split("\n"))
    if (line.trim() !== "" && !line.trim().startsWith("#"))
      session.readers.shell(session, line.replace(scheduleFields, ""), inside)
}
