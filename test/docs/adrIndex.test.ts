/** docs/adr/README.md lists every record with its title and status. */

import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"

const folder = join(import.meta.dirname, "../../docs/adr")
const read = (file: string) => readFileSync(join(folder, file), "utf8")

const headOf = (file: string) => {
  const [title = "", , dates = ""] = read(file).split("\n")
  const [, number, choice] = /^# (\d+)\. (.+)$/.exec(title) ?? []
  const [, status] =
    /^Date: \d{4}-\d{2}-\d{2}\. Status: (accepted|proposed|rejected|superseded)\b/.exec(dates) ?? []
  return { number, choice, status, file }
}

it("the index of the records lists each with its title and its status", () => {
  const records = readdirSync(folder).filter((file) => /^\d{4}-/.test(file))
  const rows = [...read("README.md").matchAll(/^\| \[(\d+)\]\((\S+)\) +\| (.+?) +\| (\S+) +\|$/gm)]
  expect(records.length).toBeGreaterThan(20)
  expect(rows.map(([, number, file, choice, status]) => ({ number, choice, status, file }))).toEqual(
    records.toSorted().map(headOf)
  )
})
