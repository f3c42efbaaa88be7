/** The bytes of a file that is not too large, or the reason why there are none. */

import { closeSync, fstatSync, openSync, readFileSync } from "node:fs"

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EISDIR: "is a folder, not a file",
  EACCES: "may not be read: permission is missing",
  EPERM: "may not be read: permission is missing",
  ELOOP: "is a link that leads back to itself"
}

export const unreadable = (cause: unknown): string => {
  if (!(cause instanceof Error)) return `cannot be read: ${String(cause)}`
  const known = "code" in cause ? reasons[String(cause.code)] : undefined
  return known ?? `cannot be read: ${cause.message}`
}

/** A file that is too large is told by its size and never read into memory. */
export const readBytes = (path: string, bytesMax: number): Buffer | string => {
  try {
    const file = openSync(path, "r")
    try {
      const { size } = fstatSync(file)
      return size > bytesMax
        ? `is larger than ${bytesMax.toLocaleString("en-US")} bytes (${size.toLocaleString("en-US")})`
        : readFileSync(file)
    } finally {
      closeSync(file)
    }
  } catch (cause) {
    return unreadable(cause)
  }
}
