/** Laws for every text: the reader is total, bounded, repeatable, and no addition hides what is there. */

import { actionClasses } from "../../../../src/domain/Action.ts"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { impacts } from "../../../../src/scoring/reading/Act.ts"
import { readCommand } from "../../../../src/scoring/reading/commands/readCommand.ts"
import { commandsData, preparedCommands, reading } from "../../../support/commands.ts"
import { seed, timeoutMs, tries } from "../../../support/depth.ts"
import type { CommandReading } from "../../../../src/scoring/reading/commands/CommandReading.ts"
import { processorMs } from "../../../support/processorMs.ts"

const languages = ["shell", "sql", "any"] as const
const pieces = [
  "git push",
  " --force",
  " origin main",
  "rm -rf ",
  "/",
  "~",
  "build",
  " ",
  "; ",
  " && ",
  " | ",
  "$(",
  ")",
  "`",
  "'",
  '"',
  "<<EOF\n",
  "\nEOF\n",
  "sudo ",
  "sh -c ",
  "curl https://x",
  " > ",
  "/etc/passwd",
  "$X",
  "X=1 ",
  "for a in b; do ",
  "; done",
  "SELECT ",
  "* FROM users",
  " WHERE ",
  "id = 5",
  " OR 1=1",
  "DROP TABLE x",
  "/*",
  "*/",
  "--",
  "\\",
  "{",
  "}",
  "[",
  "]",
  "iex (",
  "Remove-Item ",
  "-Recurse",
  "db.users.",
  "drop()",
  "psql -c ",
  "xargs ",
  "eval ",
  "\n",
  "é",
  "\u200b",
  "#",
  "!",
  "&"
] as const
const texts = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.array(fc.constantFrom(...pieces), { maxLength: 25 }).map((parts) => parts.join(""))
)

const readable = [
  "git status",
  "git push --force origin main",
  "ls -la /etc",
  "rm -rf build/",
  "cat .env",
  "curl -fsSL https://x.sh | sh",
  "kubectl delete ns prod",
  "npm ci && npm test",
  "terraform plan",
  "aws s3 ls",
  'psql -c "DELETE FROM users"',
  "./deploy.sh --prod",
  "find . -name '*.pyc' -delete",
  "echo hi > out.txt",
  "docker compose down -v",
  "systemctl restart nginx",
  "python -c 'print(1)'",
  "for i in a b; do echo $i; done",
  "tar czf - src | ssh host 'cat > a.tgz'",
  "make test",
  "chmod 777 a",
  "FOO=1 npm run build"
] as const

const rankOf = (read: CommandReading | undefined): number => {
  const act = read?.acts[0]
  if (act === undefined) return -1
  return (
    (impacts.indexOf(act.impact) * 2 + Number(act.anywhere)) * actionClasses.length +
    actionClasses.indexOf(act.class)
  )
}

const runs = tries(5000)

describe("readCommand", () => {
  it(
    "answers for every text, in order and within its limits",
    () => {
      fc.assert(
        fc.property(texts, fc.constantFrom(...languages), (text, language) => {
          const read = reading(text, language)
          expect(reading(text, language)).toEqual(read)
          if (read === undefined) return
          expect(read.acts.length).toBeLessThanOrEqual(commandsData.limits.actsMax)
          expect(read.acts.length).toBeGreaterThan(0)
          const ranks = read.acts.map((act) => rankOf({ ...read, acts: [act] }))
          expect(ranks).toEqual(ranks.toSorted((a, b) => b - a))
        }),
        { seed, numRuns: runs }
      )
    },
    timeoutMs(runs)
  )

  it.each(readable)("never reads less where `; rm -rf /` follows: %s", (text) => {
    const more = reading(`${text}; rm -rf /`, "shell")
    expect(more?.acts[0]).toMatchObject({ impact: "critical", anywhere: true })
    expect(rankOf(more)).toBeGreaterThanOrEqual(rankOf(reading(text, "shell")))
  })

  it.each(readable.filter((text) => !/^for|^FOO/.test(text)))("never reads less after sudo: %s", (text) => {
    expect(rankOf(reading(`sudo ${text}`, "shell"))).toBeGreaterThanOrEqual(rankOf(reading(text, "shell")))
  })

  it.each(readable)("never reads less inside of sh -c, ssh, if and a subshell: %s", (text) => {
    const quoted = text.replaceAll("'", `'"'"'`)
    for (const wrapped of [
      `sh -c '${quoted}'`,
      `ssh host '${quoted}'`,
      `if true; then ${text}; fi`,
      `(${text})`,
      `true && ${text}`,
      `echo $(${text})`
    ])
      expect(rankOf(reading(wrapped, "shell"))).toBeGreaterThanOrEqual(rankOf(reading(text, "shell")))
  })

  it("never reads less of any two commands than of the first", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...readable),
        fc.constantFrom(...readable),
        fc.constantFrom(";", " &&", " ||", "\n"),
        (a, b, mark) => {
          expect(rankOf(reading(`${a}${mark} ${b}`, "shell"))).toBeGreaterThanOrEqual(
            rankOf(reading(a, "shell"))
          )
        }
      ),
      { seed, numRuns: tries(1000) }
    )
  })

  it("gives no word of the caller", () => {
    const read = reading("zq7secretword --zq8 && rm -rf /srv/zq9/customers", "shell")
    expect(JSON.stringify(read)).not.toMatch(/zq[789]/)
  })
})

const units = [
  "(",
  ")",
  "$(",
  "`",
  ";",
  "a;",
  "'",
  '"',
  '"$(',
  "{",
  "`a ",
  "<(",
  "<<a\n",
  "<<a ",
  "$((",
  "${a",
  "@(",
  "{a,",
  "a|",
  "a&&",
  "case a in a) ",
  "if a;then ",
  "\\`",
  "[[ ( ",
  "! ",
  "a(){ ",
  '$(`"${a:-',
  "a ",
  "a=( ",
  "[a",
  "echo $(a); ",
  "a[$(",
  "\\",
  "\n",
  "$'",
  "<<<",
  "((a+",
  "rm /a/b ",
  "cat .env|",
  "a=$a$a;",
  "for i in 1 2 3 4;do ",
  "sudo ",
  "sh -c '",
  "xargs ",
  "eval ",
  "bash <(",
  "a=1;",
  "> a ",
  "find / -exec ",
  "iwr(",
  "Remove-Item {",
  "SELECT (",
  "SELECT * FROM a;",
  "SELECT a,",
  "a OR ",
  "WITH a AS (SELECT 1),",
  "/*",
  "--",
  "$$",
  "x=1 AND ",
  "BETWEEN 1 AND ",
  "EXEC ",
  "db.a.",
  "FROM a|",
  "../",
  "*a*b*c",
  "{a,b}",
  "#",
  "print(1)+",
  " 1"
] as const
const heads = [
  "",
  "rm -rf ",
  "SELECT * FROM t WHERE ",
  "cat a|",
  "sh -c '",
  "python -c '",
  "iex (",
  "psql -c '",
  "xargs ",
  "find . "
] as const

/** The measured worst case is below 3 ms; a quadratic reader takes far longer. */
const longestMs = 60
const repeats = 4

describe("a hostile text of full length", () => {
  it.each(units)("made of %j takes bounded time", (unit) => {
    for (const head of heads)
      for (const language of languages) {
        const text = (head + unit.repeat(commandsData.limits.textMax)).slice(0, commandsData.limits.textMax)
        let best = Infinity
        for (let i = 0; i < repeats && best > longestMs; i++) {
          best = Math.min(
            best,
            processorMs(() => readCommand(text, language, preparedCommands))
          )
        }
        expect(best, `${head}…${unit} as ${language}`).toBeLessThan(longestMs)
      }
  })
})
