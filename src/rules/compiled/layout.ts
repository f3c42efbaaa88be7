/** The layout of a compiled file: data in cells, which are read in place. */

/*
 * A cell is a value as JSON. A list in it begins with its kind, so that values that JSON cannot say are lists too. An object that is used
 * in several places is a cell, and a list that holds only its number refers to it. A large map is a table: its keys are found by their hash in
 * arrays of numbers, and the value of each key is a cell.
 */

/** A kind of zero or more is an object: the number of its keys in `keysOf`, then its values in their order. The last ones may be undefined. */
export const kinds = {
  list: -1,
  set: -2,
  map: -3,
  table: -4,
  undefined: -5,
  bigint: -6,
  pattern: -7
} as const

export interface TableLayout {
  /** The cell of its first value; the cells of the others follow in the order of the map. */
  readonly cell: number
  /** The place of its first key among all keys. */
  readonly key: number
  readonly size: number
  /** Where its slots begin, and how many they are: a power of two. A slot holds a place in the table plus one; 0: it is empty. */
  readonly slot: number
  readonly slots: number
}

/** The arrays of numbers and of bytes, in the order of the file: where each begins, and how many bytes it has. */
export const sections = ["cellEnds", "keyEnds", "slots", "keys", "cells"] as const

export interface Layout {
  /** The keys of objects that are frequent. Other objects hold their keys themselves. */
  readonly keysOf: ReadonlyArray<ReadonlyArray<string>>
  readonly tables: ReadonlyArray<TableLayout>
  readonly root: number
  /** Two where a key has a character beyond Latin-1. */
  readonly keyUnitBytes: 1 | 2
  readonly sections: { readonly [name in (typeof sections)[number]]: readonly [at: number, length: number] }
}

/** Arrays of numbers begin at multiples of it. */
export const wordBytes = 4
/** Before the layout: SHA-256 of all that follows it, and the length of the layout. */
export const digestBytes = 32
export const headBytes = digestBytes + wordBytes

/** FNV-1a over the code units of a key. */
export const hashOfKey = (key: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
