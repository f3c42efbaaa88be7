/** A real HTTP server that answers as scripted: with garbage, in part, slowly, or like the service. */

import { exampleResponse } from "../../src/api/examples/examples.ts"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface HeardRequest {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export type Script = (response: ServerResponse, heard: HeardRequest, attempt: number) => void

export interface ScriptedService {
  readonly url: string
  readonly heard: ReadonlyArray<HeardRequest>
  /** Plays from now on, with no request received yet. */
  readonly play: (script: Script) => void
  readonly close: () => Promise<void>
}

export const scriptedService = async (): Promise<ScriptedService> => {
  const heard: Array<HeardRequest> = []
  let script: Script = (response) => response.end()
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk.toString()))
    request.on("end", () => {
      const one = { url: request.url ?? "", headers: request.headers, body }
      heard.push(one)
      script(response, one, heard.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    play: (next) => {
      heard.length = 0
      script = next
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}

/** Answers as the service does, with a full opinion of this level that recommends no control. `by`: the source of the reading. */
export const opinionAt =
  (level: string, by = "name"): Script =>
  (response) =>
    response.writeHead(200, { "svc-risk-opinion": "full" }).end(
      JSON.stringify({
        ...exampleResponse,
        reading: { ...exampleResponse.reading, by },
        action_risk: { ...exampleResponse.action_risk, level },
        recommended_control: {
          ...exampleResponse.recommended_control,
          type: "NO_ADDITIONAL_CONTROL_RECOMMENDED"
        }
      })
    )
