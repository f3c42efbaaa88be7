/** Writes data as a compiled file: plain records, lists, sets, maps, texts, numbers and patterns, whatever their types are. */

import { hash } from "node:crypto"
import {
  digestBytes,
  hashOfKey,
  headBytes,
  kinds,
  type Layout,
  sections,
  type TableLayout,
  wordBytes
} from "./layout.ts"

/** A map of at least this size becomes a table that is read lazily; a smaller one is built at once. */
const tableSizeMin = 64
/** At least this many objects with the same keys share one list of keys. */
const sharedKeysMin = 8

type Code = unknown

const isTable = (value: object): value is ReadonlyMap<string, unknown> =>
  value instanceof Map &&
  value.size >= tableSizeMin &&
  [...value.keys()].every((key) => typeof key === "string")

const membersOf = (value: object): ReadonlyArray<unknown> => {
  if (value instanceof Map) return [...value].flat()
  return value instanceof Set || Array.isArray(value) ? [...value] : Object.values(value)
}

const isRecord = (value: object): boolean => Object.getPrototypeOf(value) === Object.prototype

const keysText = (value: object): string => JSON.stringify(Object.keys(value))

interface Uses {
  /** How many places refer to each object. */
  readonly places: ReadonlyMap<object, number>
  /** How many objects have each list of keys. */
  readonly keys: ReadonlyMap<string, number>
}

const countUses = (root: unknown): Uses => {
  const places = new Map<object, number>()
  const keys = new Map<string, number>()
  const open: Array<unknown> = [root]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== "object" || value === null) continue
    const known = places.get(value) ?? 0
    places.set(value, known + 1)
    if (known > 0 || value instanceof RegExp) continue
    if (isRecord(value)) keys.set(keysText(value), (keys.get(keysText(value)) ?? 0) + 1)
    for (const member of membersOf(value)) open.push(member)
  }
  return { places, keys }
}

/** The slots of a hash table with linear probing: each key takes the first free slot from its hash on. */
const slotsOf = (keys: ReadonlyArray<string>): ReadonlyArray<number> => {
  const slots = Array.from({ length: 2 ** Math.ceil(Math.log2(keys.length * 2)) }, () => 0)
  for (const [at, key] of keys.entries()) {
    let slot = hashOfKey(key) & (slots.length - 1)
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1)
    slots[slot] = at + 1
  }
  return slots
}

const simpleCode = (value: unknown): Code => {
  if (value === undefined) return [kinds.undefined]
  if (typeof value === "bigint") return [kinds.bigint, String(value)]
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value
  if (Number.isFinite(value) && !Object.is(value, -0)) return value
  throw new TypeError(`compiled data is plain: ${typeof value} \`${String(value)}\` is not`)
}

class CellWriter {
  readonly cells: Array<string> = []
  readonly keys: Array<string> = []
  readonly slots: Array<number> = []
  readonly tables: Array<TableLayout> = []
  readonly keysOf: ReadonlyArray<ReadonlyArray<string>>
  readonly #places: Uses["places"]
  readonly #sharedKeys: ReadonlyMap<string, number>
  readonly #cellOf = new Map<object, number>()

  constructor({ keys, places }: Uses) {
    const shared = [...keys].flatMap(([text, count]) =>
      count >= sharedKeysMin && text !== "[]" ? [text] : []
    )
    this.keysOf = shared.map((text) => JSON.parse(text))
    this.#sharedKeys = new Map(shared.map((text, number) => [text, number]))
    this.#places = places
  }

  add(content: Code): number {
    return this.cells.push(JSON.stringify(content)) - 1
  }

  code(value: unknown): Code {
    if (typeof value !== "object" || value === null) return simpleCode(value)
    if ((this.#places.get(value) ?? 0) < 2) return this.#codeOfContent(value)
    const known = this.#cellOf.get(value)
    if (known !== undefined) return [known]
    const own = this.add(null)
    this.#cellOf.set(value, own)
    this.cells[own] = JSON.stringify(this.#codeOfContent(value))
    return [own]
  }

  #codes(values: ReadonlyArray<unknown>): ReadonlyArray<Code> {
    return values.map((value) => this.code(value))
  }

  #codeOfContent(value: object): Code {
    if (isTable(value)) return this.#addTable(value)
    if (value instanceof Map) return [kinds.map, ...this.#codes(membersOf(value))]
    if (value instanceof Set) return [kinds.set, ...this.#codes(membersOf(value))]
    if (value instanceof RegExp) return [kinds.pattern, value.source, value.flags]
    if (Array.isArray(value)) return [kinds.list, ...this.#codes(value)]
    if (!isRecord(value)) throw new TypeError("compiled data is plain: an instance of a class is not")
    const shared = this.#sharedKeys.get(keysText(value))
    if (shared !== undefined) {
      const values = Object.values(value)
      // At least one value, because a list with only a number is a reference to a cell.
      const end = Math.max(1, values.findLastIndex((member) => member !== undefined) + 1)
      return [shared, ...this.#codes(values.slice(0, end))]
    }
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.code(member)]))
  }

  #addTable(map: ReadonlyMap<string, unknown>): Code {
    const slots = slotsOf([...map.keys()])
    const { length: cell } = this.cells
    const { length: key } = this.keys
    this.tables.push({ cell, key, size: map.size, slot: this.slots.length, slots: slots.length })
    const code = [kinds.table, this.tables.length - 1]
    this.cells.length += map.size
    for (const name of map.keys()) this.keys.push(name)
    for (const slot of slots) this.slots.push(slot)
    let next = cell
    for (const value of map.values()) this.cells[next++] = JSON.stringify(this.code(value))
    return code
  }
}

const endsOf = (lengths: ReadonlyArray<number>): Uint32Array => {
  const ends = new Uint32Array(lengths.length)
  let end = 0
  for (const [at, length] of lengths.entries()) ends[at] = end += length
  return ends
}

const padded = (length: number): number => Math.ceil(length / wordBytes) * wordBytes

const bytesOf = ({ buffer, byteLength, byteOffset }: Uint32Array | Buffer): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

const isLatin = (text: string): boolean => !/[^\0-\u00ff]/.test(text)

/**
 * Fails for anything that it cannot write exactly. Invariant: references to one object in the data are references to one object after
 * reading.
 */
export const encodeData = (root: unknown): Buffer => {
  const writer = new CellWriter(countUses(root))
  const rootCell = writer.add(writer.code(root))
  const cells = writer.cells.map((cell) => Buffer.from(cell))
  const keys = writer.keys.join("")
  const content = {
    cellEnds: endsOf(cells.map(({ length }) => length)),
    keyEnds: endsOf(writer.keys.map(({ length }) => length)),
    slots: Uint32Array.from(writer.slots),
    keys: Buffer.from(keys, isLatin(keys) ? "latin1" : "utf16le"),
    cells: Buffer.concat(cells)
  }
  const places = { cellEnds: [0, 0], keyEnds: [0, 0], slots: [0, 0], keys: [0, 0], cells: [0, 0] } as {
    [name in (typeof sections)[number]]: readonly [number, number]
  }
  let size = 0
  for (const name of sections) {
    places[name] = [size, content[name].byteLength]
    size += padded(content[name].byteLength)
  }
  const layout: Layout = {
    keysOf: writer.keysOf,
    tables: writer.tables,
    root: rootCell,
    keyUnitBytes: isLatin(keys) ? 1 : 2,
    sections: places
  }
  const head = Buffer.from(JSON.stringify(layout))
  const from = headBytes + padded(head.length)
  const file = Buffer.alloc(from + size)
  new Uint32Array(file.buffer, file.byteOffset + digestBytes, 1)[0] = head.length
  head.copy(file, headBytes)
  for (const name of sections) bytesOf(content[name]).copy(file, from + layout.sections[name][0])
  file.set(hash("sha256", file.subarray(digestBytes), "buffer"))
  return file
}
