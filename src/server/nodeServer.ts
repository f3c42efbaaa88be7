/** A node:http server with every time and size bounded, and with nothing that Node would answer by itself. */

import type { Server } from "node:http"
import { connectionsMax, headerBytesMax, headersMs, keepAliveMs, requestMs } from "../limits.ts"

// An import would read all of its exports, and one of them loads the whole of `fetch`: 50 ms of a start, for nothing.
export const { createServer, STATUS_CODES } = process.getBuiltinModule("node:http")

/**
 * A node:http server with every time and size bounded, and with nothing that Node would answer by itself.
 * How often Node looks for connections that take too long.
 */
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
