/**
 * The photograph: digests of the answers of the working rules to some 200,000 calls. A change of the code or of the rules either
 * leaves it as it is, or shows what it changes.
 *
 *     npm run photograph                      are the answers those of the photograph? 1 where they are not
 *     npm run photograph -- take              takes it again
 *     npm run photograph -- show [commit]     the answers of today next to those of a commit; without one, of the last photograph
 *
 * `--group <text>` looks only at groups whose names hold the text, `--limit <n>` shows so many differences (20), `--part score` those
 * of one part of the answers, and `--json` prints all of them as one document.
 */

import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs, styleText } from "node:util"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { type Answer, answerTo, digestsOf, type GroupDigests, parts } from "./answers.ts"
import { allCalls, type Call, type Groups } from "./calls.ts"
import { type Difference, describeDifferences, differenceOf } from "./differences.ts"
import { forEachEarlierAnswer, lastChangeOf } from "./earlierAnswers.ts"

const file = "test/photograph/digests.json"

type Photograph = Readonly<Record<string, GroupDigests>>

const kept = (): Photograph => JSON.parse(readFileSync(join(packageRoot, file), "utf8")) as Photograph

/** One group a line, so that a change of the file names the groups that changed. */
const write = (photograph: Photograph): void => {
  const lines = Object.entries(photograph).map(
    ([name, digests]) => `${JSON.stringify(name)}: ${JSON.stringify(digests)}`
  )
  writeFileSync(join(packageRoot, file), `{\n${lines.join(",\n")}\n}\n`)
}

/** A run keeps what it does not see: groups that `--group` leaves out, and files next to the repository that are not here. */
const elsewhere = (photograph: Photograph): Photograph =>
  Object.fromEntries(
    Object.entries(photograph).filter(([name]) => name.startsWith("../") || !name.includes(values.group))
  )

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    group: { type: "string", default: "" },
    json: { type: "boolean", default: false },
    limit: { type: "string", default: "20" },
    part: { type: "string", default: "" }
  }
})

const compared = parts.filter((part) => values.part === "" || part === values.part)
if (compared.length === 0) throw new Error(`an answer has the parts ${parts.join(", ")}`)

const isShown = process.stderr.isTTY
const clearLine = "\r\x1b[K"

const progress = (text: string): void => {
  if (isShown) process.stderr.write(`${clearLine}${text}`)
}

const take = (groups: Groups): Photograph => {
  let done = 0
  return Object.fromEntries(
    [...groups].map(([name, calls]) => {
      progress(`${(done += 1)} of ${groups.size} groups: ${name}`)
      return [name, digestsOf(calls)]
    })
  )
}

/** Groups of files that are not here, such as corpora next to the repository, are not compared. */
const compare = (groups: Groups): ReadonlyArray<string> => {
  const before = kept()
  const after = take(groups)
  return Object.entries(after).flatMap(([name, digests]) => {
    const known = before[name]
    if (known === undefined) return [`${name}: not in the photograph`]
    const differing = (["calls", ...parts] as const).filter((part) => digests[part] !== known[part])
    return differing.length === 0 ? [] : [`${name}: other ${differing.join(", ")}`]
  })
}

const print = (lines: ReadonlyArray<string>): void => {
  process.stdout.write(`${lines.join("\n")}\n`)
}

const check = (groups: Groups): void => {
  const findings = compare(groups)
  progress("")
  if (values.json) print([JSON.stringify({ ok: findings.length === 0, findings })])
  else if (findings.length === 0)
    print([styleText("green", `${groups.size} groups are as in the photograph`)])
  else
    print([
      ...findings,
      "`npm run photograph -- show` shows the differences, `-- take` takes the photograph anew"
    ])
  process.exitCode = findings.length === 0 ? 0 : 1
}

const show = async (groups: Groups, commit: string): Promise<void> => {
  const named = [...groups].flatMap(([group, calls]) => calls.map((call) => ({ group, call })))
  const differences: Array<Difference> = []
  const hold = (index: number, before: Answer): void => {
    const one = named[index]
    if (one === undefined) return
    if (index % 100 === 0) progress(`${index} of ${named.length} calls, ${differences.length} answers differ`)
    const difference = differenceOf(one.group, one.call, before, answerTo(one.call), compared)
    if (difference !== undefined) differences.push(difference)
  }
  const calls: ReadonlyArray<Call> = named.map(({ call }) => call)
  await forEachEarlierAnswer(commit, calls, hold)
  progress("")
  if (values.json) print([JSON.stringify({ commit, calls: calls.length, differences })])
  else print(describeDifferences(calls.length, differences, Number(values.limit)))
}

const groups = new Map([...allCalls()].filter(([name]) => name.includes(values.group)))
const [verb = "check", commit] = positionals
if (groups.size === 0) throw new Error(`no group has ${JSON.stringify(values.group)} in its name`)
else if (verb === "check") check(groups)
else if (verb === "show") await show(groups, commit ?? lastChangeOf(file))
else if (verb === "take") write({ ...elsewhere(kept()), ...take(groups) })
else throw new Error(`${JSON.stringify(verb)} is none of check, take and show`)
