/** What became of the mutants, in one line. */

import type { MutationReport } from "../../rules/mutation/MutationReport.ts"

export const mutantsScope = ({ failing, mutants, percent }: MutationReport, min: number): string => {
  const same = mutants.equivalent === 0 ? "" : `, ${mutants.equivalent} of them without any meaning`
  const broken =
    failing === 0 ? "" : `; ${failing} ${failing === 1 ? "case fails" : "cases fail"} without any change`
  return `${mutants.total} mutants${same}, ${percent} % killed${percent < min ? ` instead of ${min} %` : ""}${broken}`
}
