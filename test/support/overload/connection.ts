/** One connection of a load generator: sends a request, returns the response; does as little work as possible. */

import { connect } from "node:net"

export interface Response {
  /** Of HTTP. */
  readonly status: number
  /** Head and body. */
  readonly text: string
}

const contentLength = /\r\ncontent-length: (\d+)/i

/** The length of the response at the start of the text; null while it is incomplete. */
const endOf = (text: string): number | null => {
  const head = text.indexOf("\r\n\r\n")
  if (head === -1) return null
  const end = head + 4 + Number(contentLength.exec(text)?.[1])
  return text.length >= end ? end : null
}

/** Resolves once it is open. Calls `lost` if it closes early; it is unusable afterwards. */
export const openConnection = (url: URL) =>
  new Promise<(request: string, told: (response: Response | null) => void) => void>((resolve, reject) => {
    let waiting: ((response: Response | null) => void) | null = null
    let text = ""
    // One byte is one character: lengths count bytes.
    const socket = connect(Number(url.port), url.hostname).setEncoding("latin1").setNoDelay()
    const settle = (response: Response | null) => {
      const told = waiting
      waiting = null
      text = ""
      told?.(response)
    }
    socket.on("data", (chunk: string) => {
      text += chunk
      const end = endOf(text)
      if (end !== null) settle({ status: Number(text.slice(9, 12)), text })
    })
    socket.on("error", reject)
    socket.on("close", () => settle(null))
    socket.on("connect", () =>
      resolve((request, told) => {
        if (socket.destroyed) return told(null)
        waiting = told
        socket.write(request)
      })
    )
  })
