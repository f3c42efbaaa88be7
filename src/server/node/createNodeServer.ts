/** A node:http server with every time and size bounded, and with nothing that Node would answer by itself. */

import type { Server } from "node:http"
import { connectionsMax, headerBytesMax, headersMs, keepAliveMs, requestMs } from "../../Limits.ts"
import { createServer } from "./http.ts"

/** How often Node looks for connections that take too long. */
const connectionsCheckMs = 1_000

export const createNodeServer = (): Server => {
  const server = createServer({
    maxHeaderSize: headerBytesMax,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: connectionsCheckMs,
    insecureHTTPParser: false,
    // Node would answer a missing Host without our headers; `serveRequests` refuses it itself.
    requireHostHeader: false
  })
  server.maxConnections = connectionsMax
  // Node drops fields past its limit silently, a second Authorization among them: their bytes are bounded, and
  // `serveRequests` refuses too many.
  server.maxHeadersCount = 0
  return server
}
