/** The layout of a compiled file: data in cells, which are read in place. */

/*
 * A cell is one value as JSON. A list in it begins with its kind, so that values without a JSON form can be lists too. An object used in
 * several places becomes a cell, and a list that contains only the cell's number refers to it. A large map becomes a table: its keys are
 * found by hash in arrays of numbers, and each value is a cell.
 */

/**
 * A kind of zero or more means an object: the index of its keys in `keysOf`, followed by its values in that order. Trailing values may be
 * omitted if undefined.
 */
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
  /** The cell of its first value. The other values follow in the order of the map. */
  readonly cell: number
  /** The index of its first key among all keys. */
  readonly key: number
  readonly size: number
  /** Where its slots begin, and their number, a power of two. A slot contains an index into the table plus one, or 0 if it is empty. */
  readonly slot: number
  readonly slots: number
}

/** The arrays of numbers and bytes, in file order: where each begins, and its length in bytes. */
export const sections = ["cellEnds", "keyEnds", "slots", "keys", "cells"] as const

export interface Layout {
  /** The key lists of frequent object shapes. Other objects contain their keys. */
  readonly keysOf: ReadonlyArray<ReadonlyArray<string>>
  readonly tables: ReadonlyArray<TableLayout>
  readonly root: number
  /** 2 if any key has a character beyond Latin-1. */
  readonly keyUnitBytes: 1 | 2
  readonly sections: { readonly [name in (typeof sections)[number]]: readonly [at: number, length: number] }
}

/** Arrays of numbers begin at multiples of this. */
export const wordBytes = 4
/** Precedes the layout: the SHA-256 of everything after it, and the length of the layout. */
export const digestBytes = 32
export const headBytes = digestBytes + wordBytes

/** FNV-1a over the code units of a key. */
export const hashOfKey = (key: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
