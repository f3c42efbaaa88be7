/** Why a request to a receiver got no status. */

import { Schema } from "effect"

export const postFailedReasons = [
  /** The URL is not one that a webhook may have; it was registered under other settings. */
  "url_refused",
  /** The name has no address, or no server of names told one in time. */
  "unresolved",
  /** Every address is inside a network, or the connection ended at one that is. */
  "address_refused",
  "connect",
  /** No TLS, or a certificate that is not valid for the host. */
  "tls",
  /** No connection or no status in time. */
  "timeout",
  /** The connection ended before a status came. */
  "closed",
  /** What came is not HTTP/1.1. */
  "protocol",
  /** More came than a status and its headers may have. */
  "too_large"
] as const
export type PostFailedReason = (typeof postFailedReasons)[number]

export class PostFailed extends Schema.TaggedError<PostFailed>()("PostFailed", {
  reason: Schema.Literals(postFailedReasons),
  cause: Schema.optional(Schema.Defect())
}) {}
