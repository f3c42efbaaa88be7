/** The one text per assessment that `q` is looked for in, folded so that case does not matter. */

const ascii = /^[\0-\x7F]*$/
/** Stands between fields. A query that holds it matches nothing, so no match ever spans two fields. */
const separator = "\u001F"

/** Folded one code point at a time: a part of a text then folds to a part of the folded text (a final sigma would not). */
const fold = (text: string): string =>
  ascii.test(text)
    ? text.toLowerCase()
    : Array.from(text, (character) => character.toUpperCase().toLowerCase()).join("")

export const searchText = (fields: ReadonlyArray<string | undefined>): string =>
  fold(fields.filter((field) => field !== undefined).join(separator))

/** A LIKE pattern for texts that contain `query`; `%`, `_` and `\` stand for themselves. */
export const searchPattern = (query: string): string => `%${fold(query).replaceAll(/[\\%_]/g, "\\$&")}%`

/** Whether any text could contain `query`. */
export const isSearchable = (query: string): boolean => !query.includes(separator)

/** Whether a trigram index can tell anything of `query`: three letters or digits in a row. */
export const hasTrigram = (query: string): boolean => /[\p{L}\p{N}]{3}/u.test(query)
