/** Normalization settles at once: a canonical type is its own. */

import fc from "fast-check"
import { edition1Classes } from "../../src/scoring/edition1/NormalizedAction.ts"
import { normalize } from "../../src/scoring/edition1/lexicon/normalize.ts"
import { actionTypes } from "../support/arbitrary/vocabulary.ts"
import { model } from "../support/edition1.ts"
import { theorem } from "../support/theorem.ts"

const word = fc.oneof(
  fc.constantFrom(...actionTypes.map(({ text }) => text)),
  fc.constantFrom(
    "aws:iam:",
    "github.",
    "mcp__",
    "all",
    "bulk",
    "prod",
    "admin",
    "api_key",
    "*",
    "ｄｒｏｐ",
    "de\u200blete",
    "dropdown"
  ),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({ unit: "grapheme", maxLength: 12 })
)
const actionType = fc
  .array(fc.tuple(word, fc.constantFrom(".", ":", "/", "_", "-", " ", "")), { minLength: 1, maxLength: 6 })
  .map((parts) => [...parts.flat().join("")].slice(0, 160).join(""))

const read = (text: string) => normalize({ actionType: text }, model.lexicon)

theorem("normalizing a canonical action type changes neither type nor class", actionType, (text) => {
  const once = read(text)
  const twice = read(once.type)
  return twice.type === once.type && twice.class === once.class
})

theorem(
  "a canonical type is `<object>.<verb>` in lower snake case of at most 160 characters",
  actionType,
  (text) => {
    const { class: verbClass, type } = read(text)
    const [object = "", verb = "", ...more] = type.split(".")
    return (
      more.length === 0 &&
      object !== "" &&
      verb !== "" &&
      type === type.toLowerCase() &&
      [...type].length <= 160 &&
      edition1Classes.includes(verbClass)
    )
  }
)

theorem(
  "an action type that normalizes to unclassified is of class unknown, and no other",
  actionType,
  (text) => {
    const { class: verbClass, type } = read(text)
    return type.endsWith(".unclassified") === (verbClass === "unknown")
  }
)
