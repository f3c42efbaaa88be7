/** An ASCII word that stands for letters which have no ASCII reading, so that `删除` and `获取` stay two names. */

const offsetBasis = 0x811c9dc5
const prime = 0x01000193

/** `x` and the FNV-1a hash (32 bits, hex) of the UTF-16 units. */
export const opaqueWord = (letters: string): string => {
  let hash = offsetBasis
  for (let at = 0; at < letters.length; at++) hash = Math.imul(hash ^ letters.charCodeAt(at), prime)
  return `x${(hash >>> 0).toString(16).padStart(8, "0")}`
}
