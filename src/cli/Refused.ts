/** What the operator asked for cannot be done, in one sentence: exit code 1. */

import { Schema } from "effect"

export class Refused extends Schema.TaggedError<Refused>()("Refused", { message: Schema.String }) {}
