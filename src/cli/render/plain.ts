/** A text that somebody else wrote, as a terminal may print it: nothing in it that a terminal would obey, and not endless. */

import { shownTextMax } from "../../Limits.ts"

export const plain = (text: string): string => text.replaceAll(/\p{C}/gu, " ").slice(0, shownTextMax)
