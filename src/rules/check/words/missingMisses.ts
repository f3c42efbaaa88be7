/** A policy rule says what it cannot see. Factors and typologies must, or they do not read; frozen policy sets are older. */

import type { Problem } from "../../Problem.ts"
import { isRecord } from "../../isRecord.ts"
import type { Examined } from "../examine.ts"

export const checkMisses = ({ ladder, source }: Examined): ReadonlyArray<Problem> =>
  ladder?.kind === "policy" && isRecord(source?.json) && !("misses" in source.json)
    ? [
        {
          rule: "missing-misses",
          path: ["misses"],
          message: "`misses` is missing: say what the rule cannot see"
        }
      ]
    : []
