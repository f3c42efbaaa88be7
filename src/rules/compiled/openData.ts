/** Opens compiled data in place: large maps stay in the bytes of the file until they are looked up. */

/* Invariant: laziness is invisible. A cell always gives the same value, whatever was read before. */

import { hash } from "node:crypto"
import {
  digestBytes,
  hashOfKey,
  headBytes,
  kinds,
  type Layout,
  type TableLayout,
  wordBytes
} from "./layout.ts"

interface Arrays {
  readonly cellEnds: Uint32Array
  readonly keyEnds: Uint32Array
  readonly slots: Uint32Array
  readonly keys: Uint8Array | Uint16Array
  readonly cells: Buffer
}

/** A map whose values are built on request. */
class Table<A> implements ReadonlyMap<string, A> {
  readonly size: number
  readonly #layout: TableLayout
  readonly #arrays: Arrays
  readonly #valueOf: (cell: number) => A

  constructor(layout: TableLayout, arrays: Arrays, valueOf: (cell: number) => A) {
    this.size = layout.size
    this.#layout = layout
    this.#arrays = arrays
    this.#valueOf = valueOf
  }

  get(key: string): A | undefined {
    const at = this.#find(key)
    return at < 0 ? undefined : this.#valueOf(this.#layout.cell + at)
  }

  has(key: string): boolean {
    return this.#find(key) >= 0
  }

  *entries(): MapIterator<[string, A]> {
    for (let at = 0; at < this.size; at++) yield [this.#keyAt(at), this.#valueOf(this.#layout.cell + at)]
  }

  *keys(): MapIterator<string> {
    for (let at = 0; at < this.size; at++) yield this.#keyAt(at)
  }

  *values(): MapIterator<A> {
    for (let at = 0; at < this.size; at++) yield this.#valueOf(this.#layout.cell + at)
  }

  [Symbol.iterator](): MapIterator<[string, A]> {
    return this.entries()
  }

  forEach(run: (value: A, key: string, map: ReadonlyMap<string, A>) => void): void {
    for (const [key, value] of this) run(value, key, this)
  }

  /** The index of a key in the table; -1 if it is missing. */
  #find(key: string): number {
    const { slot, slots } = this.#layout
    const mask = slots - 1
    for (let next = hashOfKey(key) & mask; ; next = (next + 1) & mask) {
      const at = (this.#arrays.slots[slot + next] ?? 0) - 1
      if (at < 0 || this.#isAt(at, key)) return at
    }
  }

  #isAt(at: number, key: string): boolean {
    const { keyEnds, keys } = this.#arrays
    const from = this.#startOf(at)
    if ((keyEnds[this.#layout.key + at] ?? 0) - from !== key.length) return false
    for (let unit = 0; unit < key.length; unit++) if (keys[from + unit] !== key.charCodeAt(unit)) return false
    return true
  }

  #startOf(at: number): number {
    return this.#arrays.keyEnds[this.#layout.key + at - 1] ?? 0
  }

  #keyAt(at: number): string {
    const { keyEnds, keys } = this.#arrays
    return String.fromCharCode(...keys.subarray(this.#startOf(at), keyEnds[this.#layout.key + at]))
  }
}

/** Builds the value of a cell. Resolves references to other cells and to tables. */
const build = (code: unknown, { cell, keysOf, table }: Open): unknown => {
  if (typeof code !== "object" || code === null) return code
  const open = { cell, keysOf, table }
  if (!Array.isArray(code)) {
    const record = code as Record<string, unknown>
    for (const key in record) record[key] = build(record[key], open)
    return record
  }
  const kind: number = code[0]
  if (code.length === 1 && kind >= 0) return cell(kind)
  if (kind === kinds.table) return table(code[1])
  if (kind === kinds.undefined) return undefined
  if (kind === kinds.bigint) return BigInt(code[1])
  if (kind === kinds.pattern) return new RegExp(code[1], code[2])
  if (kind >= 0) {
    const record: Record<string, unknown> = {}
    const names = keysOf[kind] ?? []
    for (let at = 0; at < names.length; at++) record[names[at] ?? ""] = build(code[at + 1], open)
    return record
  }
  const values = code.slice(1).map((item) => build(item, open))
  if (kind === kinds.list) return values
  if (kind === kinds.set) return new Set(values)
  return new Map(values.flatMap((key, at) => (at % 2 === 0 ? [[key, values[at + 1]] as const] : [])))
}

interface Open {
  readonly keysOf: Layout["keysOf"]
  readonly cell: (number: number) => unknown
  readonly table: (number: number) => unknown
}

const notMade = Symbol("not made yet")

const openSections = (bytes: Buffer, { keyUnitBytes, sections }: Layout, from: number): Arrays => {
  const section = (name: keyof Arrays): Buffer => {
    const [at, length] = sections[name]
    return bytes.subarray(from + at, from + at + length)
  }
  const words = (name: keyof Arrays): Uint32Array => {
    const { buffer, byteOffset, length } = section(name)
    return new Uint32Array(buffer, byteOffset, length / wordBytes)
  }
  const keys = section("keys")
  return {
    cellEnds: words("cellEnds"),
    keyEnds: words("keyEnds"),
    slots: words("slots"),
    keys:
      keyUnitBytes === 1 ? keys : new Uint16Array(keys.buffer, keys.byteOffset, keys.length / keyUnitBytes),
    cells: section("cells")
  }
}

/** Whether a file is unchanged since it was written. */
const isWhole = (bytes: Buffer): boolean =>
  bytes.length > headBytes &&
  bytes.byteOffset % wordBytes === 0 &&
  bytes.subarray(0, digestBytes).equals(hash("sha256", bytes.subarray(digestBytes), "buffer"))

/** The data in a file written by `encodeData`; undefined if any byte changed since. */
export const openData = (bytes: Buffer): unknown => {
  if (!isWhole(bytes)) return undefined
  const length = new Uint32Array(bytes.buffer, bytes.byteOffset + digestBytes, 1)[0] ?? 0
  const layout = JSON.parse(bytes.toString("utf8", headBytes, headBytes + length)) as Layout
  const from = headBytes + Math.ceil(length / wordBytes) * wordBytes
  const arrays = openSections(bytes, layout, from)
  const made: Array<unknown> = Array.from({ length: arrays.cellEnds.length }, () => notMade)
  const tables: Array<unknown> = []
  const cell = (number: number): unknown => {
    const known = made[number]
    if (known !== notMade) return known
    const text = arrays.cells.toString("utf8", arrays.cellEnds[number - 1] ?? 0, arrays.cellEnds[number])
    return (made[number] = build(JSON.parse(text), open))
  }
  const table = (number: number): unknown => {
    const own = layout.tables[number]
    if (own === undefined) return undefined
    return (tables[number] ??= new Table(own, arrays, cell))
  }
  const open: Open = { keysOf: layout.keysOf, cell, table }
  return cell(layout.root)
}
