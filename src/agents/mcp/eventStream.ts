/** The body of an answer by Streamable HTTP: one message as JSON, or several as server-sent events. Bounded in size. */

import { mcpLineMax } from "../../limits.ts"

const eventStream = "text/event-stream"

const typeOf = (response: Response): string =>
  (response.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? ""

export const isEventStream = (response: Response): boolean => typeOf(response) === eventStream

/** Line breaks are between the tokens of a JSON text and never within one, so the message stays the same. */
const onOneLine = (text: string): string => text.replaceAll(/[\r\n]+/g, " ").trim()

/** `alive` is called whenever something arrives. Fails where the bytes are no UTF-8. */
async function* textsOf(response: Response, alive: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  for await (const chunk of response.body ?? []) {
    alive()
    yield decoder.decode(chunk, { stream: true })
  }
  yield decoder.decode()
}

const tooLong = () => new Error("a message of it is too long")

/** The text of a body that is no stream of events. */
export const wholeText = async (response: Response, alive: () => void): Promise<string> => {
  let whole = ""
  for await (const text of textsOf(response, alive)) {
    whole += text
    if (whole.length > mcpLineMax) throw tooLong()
  }
  return onOneLine(whole)
}

async function* linesOf(response: Response, alive: () => void): AsyncGenerator<string> {
  let pending = ""
  for await (const text of textsOf(response, alive)) {
    // Only the last pending character can be part of a break.
    const from = Math.max(0, pending.length - 1)
    pending += text
    let start = 0
    // A break at the end of what has arrived may be the first half of one.
    for (const { 0: found, index } of pending.slice(from).matchAll(/\r\n|\r(?!$)|\n/g)) {
      yield pending.slice(start, from + index)
      start = from + index + found.length
    }
    pending = pending.slice(start)
    if (pending.length > mcpLineMax) throw tooLong()
  }
}

/** The data of each event of the kind `message`, on one line. An event that the stream cuts off is none. */
export async function* eventsOf(response: Response, alive: () => void): AsyncGenerator<string> {
  let data: Array<string> = []
  let size = 0
  let kind = "message"
  for await (const line of linesOf(response, alive)) {
    const [, field = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (line === "") {
      if (data.length > 0 && kind === "message") yield onOneLine(data.join("\n"))
      ;[data, size, kind] = [[], 0, "message"]
    } else if (field === "data") {
      size += value.length
      if (size > mcpLineMax) throw tooLong()
      data.push(value)
    } else if (field === "event") kind = value
  }
}
