/** A page of the list (contract 3.3) as JSON bytes: the items as they are stored, and what stands around them. */

import type { ActionList } from "../api/ActionList.ts"

/** `itemsJson`: with commas between them. */
export const encodeList = (
  { api_version, environment_mode, ...rest }: Omit<ActionList, "data">,
  itemsJson: string
): Uint8Array => {
  const start = JSON.stringify({ api_version, environment_mode }).slice(0, -1)
  // Spliced as text: parsing and printing every item again would cost more than reading the page.
  return Buffer.from(`${start},"data":[${itemsJson}],${JSON.stringify(rest).slice(1)}`)
}
