/** A command has found what it looks for and has said so on standard output: exit code 1. */

import { Schema } from "effect"

export class Found extends Schema.TaggedError<Found>()("Found", {}) {}
