/** The file in which an agent's own program stores its opinions: lines that several processes append concurrently. */

import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { dirname } from "node:path"
import { opinionsFileBytesMax, opinionsLockMs } from "../limits.ts"

/** Where the older lines move when a new file is started. */
export const olderOpinions = (file: string): string => file.replace(/(?:\.ndjson)?$/, ".1.ndjson")

const aboutFile = (file: string) => statSync(file, { throwIfNoEntry: false })

/** False if another process holds the lock. The lock of a killed process is removed, so that the next process can take it. */
const takeLock = (lock: string): boolean => {
  try {
    writeFileSync(lock, "", { flag: "wx", mode: 0o600 })
    return true
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause
    if (Date.now() - (aboutFile(lock)?.mtimeMs ?? Infinity) > opinionsLockMs) rmSync(lock, { force: true })
    return false
  }
}

/** Does not wait for the lock, so a file may become slightly longer than it should. */
const beginAnew = (file: string, bytesMax: number): void => {
  const isFull = (): boolean => (aboutFile(file)?.size ?? 0) >= bytesMax
  const lock = `${file}.lock`
  if (!isFull() || !takeLock(lock)) return
  try {
    // Checked again; otherwise two processes that found it full would replace the older lines by the few lines of a new file.
    if (isFull()) renameSync(file, olderOpinions(file))
  } finally {
    rmSync(lock, { force: true })
  }
}

/** A pipe would make the hook wait for its reader, and a host runs a call whose hook is late. */
const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK

/**
 * Throws if the line cannot be stored. Uses a single write at the end of the file, which the system makes atomic, so that lines of
 * concurrent processes do not mix. A file that was renamed meanwhile still takes the line.
 */
export const keepLine = (file: string, line: string, bytesMax = opinionsFileBytesMax): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  beginAnew(file, bytesMax)
  const descriptor = openSync(file, flags, 0o600)
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error(`${file} is not a file`)
    const bytes = Buffer.from(`${line}\n`)
    if (writeSync(descriptor, bytes) === bytes.length) return
    // Makes the next line start on a line of its own.
    writeSync(descriptor, "\n")
    throw new Error(`only a part of it fit into ${file}`)
  } finally {
    closeSync(descriptor)
  }
}
