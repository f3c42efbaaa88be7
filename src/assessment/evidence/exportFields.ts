/** What stands in lines of an export, as they are read back. */

import { Schema } from "effect"

/** SHA-256 in hexadecimal digits. */
export const Digest = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))

/** What an entry's text holds unescaped. */
export const Plain = Schema.String.check(Schema.isPattern(/^[0-9A-Za-z:.-]{1,64}$/))
