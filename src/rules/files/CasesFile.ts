/** `<code>.cases.json`: requests that must and must not raise a factor, typology or policy rule. */

import { Schema } from "effect"
import { type Entry, instantsOf } from "./CasesFile/instantsOf.ts"
import { fileStruct } from "./fileStruct.ts"
import { RequestFile } from "./RequestFile.ts"
import { Few, Instant, Sentence, SeverityName } from "./vocabulary.ts"

/** `2m`, `1h`, `1d` */
const Interval = Schema.String.check(
  Schema.isPattern(/^[1-9]\d{0,5}[smhd]$/u, { message: "expected an interval such as 2h" })
)

/** Fixed instants, all before `now`; `repeat` stands for `times` equal assessments, the first at `at`. */
export const HistoryFile = fileStruct({
  now: Instant,
  earlier: Schema.Array(
    fileStruct({
      at: Instant,
      request: RequestFile,
      repeat: Schema.optionalKey(fileStruct({ times: Few, every: Interval }))
    })
  )
}).check(
  Schema.makeFilter((file: { readonly now: string; readonly earlier: ReadonlyArray<Entry> }) =>
    file.earlier.flatMap((entry, i) =>
      Math.max(...instantsOf(entry)) < Date.parse(file.now)
        ? []
        : [{ path: ["earlier", i], issue: "does not lie before `now`" }]
    )
  )
)

/** Without a history the window is empty. */
export const situation = { request: RequestFile, history: Schema.optionalKey(HistoryFile) }

export const SituationFile = fileStruct(situation)

const named = {
  name: Sentence,
  ...situation,
  /** `history`: it could not be read. `policy`: a policy rule could not be evaluated. */
  fault: Schema.optionalKey(Schema.Literals(["history", "policy"]))
}

export const FactorCasesFile = fileStruct({
  cases: Schema.Array(fileStruct({ ...named, expect: Schema.Union([SeverityName, Schema.Literal("none")]) }))
})

export const MatchCasesFile = fileStruct({
  cases: Schema.Array(fileStruct({ ...named, expect: Schema.Literals(["matched", "none"]) }))
})
