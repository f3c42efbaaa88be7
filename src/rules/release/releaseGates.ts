/** The gates between working files and a release, in their order; each can be asked by itself. */

import { Result } from "effect"
import { isDeepStrictEqual } from "node:util"
import { locateFindings } from "../locate.ts"
import type { LocatedFinding } from "../LocatedFinding.ts"
import type { Rulebook } from "../Rulebook.ts"
import { readLifelike } from "../witness/lifelike.ts"
import type { Candidate } from "./Candidate.ts"
import { changelogFindings } from "./changelogFindings.ts"
import { proveGate } from "./proveGate.ts"
import { type Gate, type GateName, gateNames } from "./ReleaseReport.ts"
import { versionFindings } from "./versionFindings.ts"

interface Told {
  readonly says: string
  readonly findings: ReadonlyArray<LocatedFinding>
  /** Where findings alone do not say it. */
  readonly ok?: boolean
}

/** Null: nothing is there to look at, which an earlier gate has said. */
type Look = () => Told | null | Promise<Told | null>

const askGate = async (name: GateName, look: Look): Promise<Gate> => {
  const startedAtMs = performance.now()
  const told = await look()
  const ms = Math.round(performance.now() - startedAtMs)
  if (told === null) return { name, outcome: "not run", ms, says: "the files cannot be read", findings: [] }
  const { findings, says, ok = findings.length === 0 } = told
  return { name, outcome: ok ? "passed" : "failed", ms, says, findings }
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`

/** Whether a score could differ from the newest release; false where the files cannot be read, which `check` says. */
const scoresMove = ({ before, draft, scoringParts }: Candidate): boolean => {
  if (before === null) return true
  if (Result.isFailure(before) || Result.isFailure(draft)) return false
  return !isDeepStrictEqual(scoringParts(before.success), scoringParts(draft.success))
}

/** `accepted`: the codes that may score lower than before. */
export const releaseGates = (
  candidate: Candidate,
  accepted: ReadonlyArray<string>
): ReadonlyArray<() => Promise<Gate>> => {
  const { before, changelog, check, differing, draft, newest, root, stated, test, version } = candidate
  const moves = scoresMove(candidate)
  const entry = changelog.entries.find((entry) => entry.version === version)
  const withDraft =
    (look: (draft: Rulebook) => Told | Promise<Told>): Look =>
    () =>
      Result.isFailure(draft) ? null : look(draft.success)

  const looks: Readonly<Record<GateName, Look>> = {
    version: () => ({
      says: newest === null ? "the first release" : `${newest} → ${version}`,
      findings: versionFindings(candidate, moves)
    }),
    changelog: () => {
      const items = entry?.items ?? []
      const stars = items.filter((item) => item.moves).length
      return {
        says: entry === undefined ? "no entry" : `${counted(items.length, "change")}, ${stars} with ★`,
        findings: changelogFindings(candidate, moves, accepted)
      }
    },
    check: () => {
      const { files, findings, ok } = check()
      return { ok, findings, says: `${counted(files, "file")}, ${counted(findings.length, "finding")}` }
    },
    evaluators: withDraft(async (draft) => {
      const names = await differing(draft)
      return {
        says: names.length === 0 ? "both say the same around every boundary" : "they differ",
        findings: locateFindings(
          root,
          names.map((name) => ({
            rule: "evaluators-differ",
            file: stated.file,
            path: [],
            message: `the two evaluators differ on \`${name}\``
          }))
        )
      }
    }),
    test: withDraft((draft) => {
      const { cases, findings, ok } = test(draft)
      return { ok, findings, says: `${counted(cases.total, "case")}, ${cases.failed} failed` }
    }),
    prove: withDraft((draft) => {
      if (before === null) return { says: "nothing was released before", findings: [] }
      return Result.match(before, {
        onFailure: (findings) => ({
          says: `${newest} cannot be read`,
          findings: locateFindings(root, findings)
        }),
        onSuccess: (before) =>
          proveGate(before, draft, accepted, {
            file: changelog.file,
            line: entry?.line ?? 1,
            lifelike: readLifelike(root)
          })
      })
    })
  }
  return gateNames.map((name) => () => askGate(name, looks[name]))
}
