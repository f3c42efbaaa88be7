/** Turns of phrase that read as translated, each with what to write instead. `test/docs/prose.test.ts` looks for them. */

interface Turn {
  readonly name: string
  readonly pattern: RegExp
  /** What a native speaker writes. */
  readonly better: string
}

/** Where a sentence, an item or a clause after a colon begins. */
const start = String.raw`(?<=^|[.!?:;] |\n)`
const verbs = "(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|may|must)"

const turn = (name: string, pattern: string, better: string): Turn => ({
  name,
  pattern: new RegExp(pattern, "g"),
  better
})

export const foreignTurns: ReadonlyArray<Turn> = [
  turn("headless What", `${start}What (?!if\\b)(?=[a-z])[^?.]*[.]`, "name the thing: `Queued deliveries …`"),
  turn("headless Who", `${start}Who (?=[a-z])[^?.]*[.]`, "`A caller that …`, `To …,`"),
  turn("whoever", String.raw`\b[Ww]ho(?:so|m)?ever\b`, "`anyone who`, `a caller that`"),
  turn(
    "nobody, somebody",
    String.raw`\b(?:[Nn]o|[Ss]ome)body\b`,
    "`no person`, `no caller`, the passive, `someone`"
  ),
  turn(
    "a sentence that begins with Of",
    `${start}Of (?!course)[a-z]`,
    "`For`, `Among`, or turn the sentence round"
  ),
  turn("stands", String.raw`\b[Ss]tands?\b(?! for\b| out\b|-)`, "`is`, `follows`, `remains`"),
  turn(
    "behind, in front of: of text",
    String.raw`\b(?:[Bb]ehind|[Ii]n front of) (?:an?|another|the|its|their|those) (?:colon|comma|digit|figure|flag|key|line|name|noun|operand|prefix|quote|segment|sign|text|value|verb|word)s?\b`,
    "`after`, `before`"
  ),
  turn("beside", String.raw`\b[Bb]esides?\b`, "`next to`, `with`, `also`"),
  turn(
    "tells of, told of",
    String.raw`\b(?:tell|tells|told|telling) of\b`,
    "`reports`, `describes`, `names`"
  ),
  turn(
    "speaks of",
    String.raw`\b(?:speak|speaks|spoke|spoken|speaking) of\b`,
    "`is about`, `covers`, `means`"
  ),
  turn("hears", String.raw`\b[Hh]ea(?:rs?|rd|ring)\b`, "`gets`, `reads`, `learns`, `is told`"),
  turn(
    "is of",
    String.raw`\b(?:is|are|was|were) of (?:a|an|one|the|its|their|all|this|that|some|each|every|two)\b`,
    "`belongs to`, `covers`"
  ),
  turn("So is it", `${start}So ${verbs} `, "`The same holds for …`"),
  turn("an inversion", `${start}(?:Neither|Nor|Never|Not only|Only then) ${verbs} `, "put the subject first"),
  turn(
    "in the place of",
    String.raw`\b[Ii]n (?:the|its|their) places? of\b|\bin its place\b`,
    "`instead of`"
  ),
  turn("anew", String.raw`\banew\b`, "`again`, `a new …`"),
  turn("under way", String.raw`\bunder way\b`, "`in progress`, `running`"),
  turn("what becomes of", String.raw`\bbec(?:ame|omes?|oming) of\b`, "`what happens to`, `the result of`"),
  turn("mend", String.raw`\b[Mm]end(?:s|ed|ing)?\b`, "`fix`, `repair`, `correct`"),
  turn(
    "nothing but",
    String.raw`\b(?:nothing but|all but|else than)\b`,
    "`only`, `all except`, `other than`"
  ),
  turn(
    "alone behind its noun",
    String.raw`\b(?:at|by|for|from|in|of|on|to|with) (?:\w+ ){1,3}alone\b`,
    "`only` in front of it"
  ),
  turn("is away", String.raw`\b(?:is|are|was|were|be) away\b`, "`is down`, `is unreachable`"),
  turn("is to be", String.raw`\b(?:is|are|was|were) to be \w`, "`must be`, `will be`"),
  turn("that there is", String.raw`\bthat there (?:is|are)(?=[.,;:)]|$)`, "`every`, `existing`"),
  turn("looks something long up", String.raw`\blook(?:s|ed|ing)? (?:\w+ ){2,}up\b`, "`looks up …`"),
  turn(
    "read otherwise",
    String.raw`\b(?:answered|described|read|scored|spelled|written) otherwise\b`,
    "`differently`"
  ),
  turn("an old word", String.raw`\b(?:hereby|lest|thereby|therein|thereof|whereof|wherein)\b`, "leave it out")
]
