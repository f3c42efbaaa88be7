/** What the headers of an assess request ask for besides its body. */

import type { IncomingHttpHeaders } from "node:http"
import { type Drill, drills } from "../../../assessment/AssessCall.ts"
import type { Mode } from "../../../domain/Mode.ts"

/** RFC 7240: preferences are separated by commas, their parameters follow a semicolon, and the first of a name counts. */
export const asksForStrict = ({ prefer }: IncomingHttpHeaders): boolean => {
  for (const preference of String(prefer ?? "").split(",")) {
    const [name = "", value = ""] = (preference.split(";")[0] ?? "").split("=")
    if (name.trim().toLowerCase() !== "handling") continue
    return value.trim().replaceAll('"', "").toLowerCase() === "strict"
  }
  return false
}

/** Drills are for test keys; on a live key the header means nothing. */
export const asksForDrill = (headers: IncomingHttpHeaders, mode: Mode): Drill | null =>
  mode === "test" ? (drills.find((drill) => drill === headers["svc-drill"]) ?? null) : null
