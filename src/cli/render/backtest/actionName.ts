/** What a recorded request is called in one line: its action and where it was to happen. */

import type { JsonObject } from "../../../domain/Action.ts"

const widthMax = 60

/** Control characters of a foreign history never reach a terminal. */
const plain = (text: string): string => text.replaceAll(/\p{C}/gu, " ").slice(0, widthMax)

export const actionName = ({ action_type, environment }: JsonObject): string =>
  plain(`${String(action_type)} in ${String(environment)}`)
