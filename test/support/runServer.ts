/** A server for the tests of one file: its address, until the file is done. */

import { Effect, type Layer, ManagedRuntime } from "effect"
import { afterAll, beforeAll } from "vitest"
import { ListeningServer } from "../../src/server/HttpServer.ts"

/** The address is known once `beforeAll` has run. */
export const runServer = (
  layer: Layer.Layer<ListeningServer>
): { readonly port: () => number; readonly url: () => string } => {
  const runtime = ManagedRuntime.make(layer)
  let address: ListeningServer["Service"] = { port: 0, url: "" }
  beforeAll(async () => {
    address = await runtime.runPromise(Effect.service(ListeningServer))
  })
  afterAll(() => runtime.dispose())
  return { port: () => address.port, url: () => address.url }
}
