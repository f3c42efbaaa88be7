/** What is used of `node:http`, without what the rest of it brings along. */

// An import would read all of its exports, and one of them loads the whole of `fetch`: 50 ms of a start, for nothing.
export const { createServer, STATUS_CODES } = process.getBuiltinModule("node:http")
