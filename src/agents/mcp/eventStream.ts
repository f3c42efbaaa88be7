/** The body of a Streamable HTTP response: one message as JSON, or several as server-sent events. Limited in size. */

import { mcpLineMax } from "../../limits.ts"

const eventStream = "text/event-stream"

const typeOf = (response: Response): string =>
  (response.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? ""

export const isEventStream = (response: Response): boolean => typeOf(response) === eventStream

/** In JSON, line breaks can occur only between tokens, so replacing them does not change the message. */
const onOneLine = (text: string): string => text.replaceAll(/[\r\n]+/g, " ").trim()

/** `alive` is called whenever something arrives. Fails if the bytes are not UTF-8. */
async function* textsOf(response: Response, alive: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  for await (const chunk of response.body ?? []) {
    alive()
    yield decoder.decode(chunk, { stream: true })
  }
  yield decoder.decode()
}

const tooLong = () => new Error("one of its messages is too long")

/** The text of a body that is not an event stream. */
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
    // Only the last character of the pending text can be part of a line break.
    const from = Math.max(0, pending.length - 1)
    pending += text
    let start = 0
    // A `\r` at the end of the received text may be the first half of a line break.
    for (const { 0: found, index } of pending.slice(from).matchAll(/\r\n|\r(?!$)|\n/g)) {
      yield pending.slice(start, from + index)
      start = from + index + found.length
    }
    pending = pending.slice(start)
    if (pending.length > mcpLineMax) throw tooLong()
  }
}

/** The data of each event of type `message`, on one line. An event that is cut off at the end of the stream is ignored. */
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
