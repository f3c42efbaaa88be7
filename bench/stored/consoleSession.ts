/** A visitor who is signed in to the measured service's console, and asks for one page after the other. */

import { Agent, type IncomingMessage, request } from "node:http"
import { text } from "node:stream/consumers"

export interface ConsoleSession {
  /** Gives the page; fails where it is none. */
  readonly get: (path: string) => Promise<string>
}

const connection = new Agent({ keepAlive: true, maxSockets: 1 })

/** By node:http: fetch writes the headers itself by which the console tells its own forms. */
const ask = (method: string, url: string, headers: Record<string, string>, body = "") => {
  const { promise, reject, resolve } = Promise.withResolvers<IncomingMessage>()
  request(url, { method, headers, agent: connection }, resolve).on("error", reject).end(body)
  return promise
}

/** `url`: of the console. */
export const signIn = async (url: string, key: string): Promise<ConsoleSession> => {
  const form = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" }
  const entered = await ask("POST", `${url}/sign-in`, form, String(new URLSearchParams({ key })))
  entered.resume()
  const cookie = entered.headers["set-cookie"]?.[0]?.split(";")[0]
  if (cookie === undefined) throw new Error(`the sign-in was answered ${entered.statusCode}`)
  return {
    get: async (path) => {
      const answer = await ask("GET", url + path, { cookie })
      const page = await text(answer)
      if (answer.statusCode !== 200) throw new Error(`${path} was answered ${answer.statusCode}`)
      return page
    }
  }
}
