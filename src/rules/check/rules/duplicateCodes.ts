/** A code, a typology and a policy rule each have one file. */

import type { Finding } from "../../Problem.ts"
import { stated } from "../../releaseDocument.ts"
import type { Examined } from "../examine.ts"

const keys = [
  { place: /^rules\/factors\//, key: "code" },
  { place: /^rules\/typologies\//, key: "name" },
  { place: /^policies\/[^/]+\//, key: "id" }
]

export const checkDuplicateCodes = (examined: ReadonlyArray<Examined>): ReadonlyArray<Finding> =>
  keys.flatMap(({ key, place }) => {
    const first = new Map<string, string>()
    return examined.flatMap(({ file, source }): ReadonlyArray<Finding> => {
      const code = source === null || !place.test(file) ? "" : stated(source.json, key)
      if (code === "") return []
      const earlier = first.get(code)
      if (earlier !== undefined) {
        return [
          { rule: "duplicate-code", file, path: [key], message: `\`${code}\` has a file already: ${earlier}` }
        ]
      }
      first.set(code, file)
      return []
    })
  })
