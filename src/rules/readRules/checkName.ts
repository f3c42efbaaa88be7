/** A file is called what the thing in it is called, so that a reviewer finds either by the other. */

import type { Problem } from "../Problem.ts"

const misnamed = (path: Problem["path"], message: string, suggestion: string): Problem => ({
  rule: "misnamed-file",
  path,
  message,
  suggestion
})

export const checkFolder = (field: string, stated: string, folder: string): ReadonlyArray<Problem> =>
  stated === folder ? [] : [misnamed([field], `\`${stated}\` stands in a folder named \`${folder}\``, folder)]

/** `bulk-export` raises `BULK_EXPORT`, and so does `BULK_EXPORT`. */
const eventTypeOf = (name: string): string => name.toUpperCase().replaceAll("-", "_")

/** What the file calls itself, and the events that its rules give; where it is misnamed, that is told alone. */
export const checkName = (
  field: string,
  stated: string,
  fileName: string,
  eventTypes: ReadonlyArray<string>
): ReadonlyArray<Problem> => {
  if (stated !== fileName) {
    return [misnamed([field], `\`${stated}\` stands in a file named \`${fileName}\``, fileName)]
  }
  const expected = eventTypeOf(stated)
  return eventTypes.flatMap((type, i) =>
    type === expected
      ? []
      : [
          misnamed(
            ["rules", i, "event", "type"],
            `the event is called \`${type}\`, and what it raises \`${expected}\``,
            expected
          )
        ]
  )
}
