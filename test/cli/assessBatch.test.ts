import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Layer, Schema, Sink, Stdio, Stream } from "effect"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { AssessmentResponse } from "../../src/api/AssessmentResponse.ts"
import { Scorer, ScoringFailed } from "../../src/assessment/Scorer.ts"
import { assessBatch } from "../../src/cli/batch/assessBatch.ts"
import { scorerOf } from "../../src/cli/assessOffline.ts"
import { AppConfig } from "../../src/config.ts"
import { batchBlocksAlone, batchRetriesMax, bodyBytesMax, inputLinesAtOnce } from "../../src/limits.ts"
import { actionRisk as startProgram, type Finished, type RunOptions } from "../support/actionRisk.ts"
import { deep } from "../support/depth.ts"
import { actionRisk } from "../support/inProcess.ts"
import { rulesMemoMap } from "../support/openedRules.ts"
import { spoken } from "../support/spoken.ts"
import { newestVersion } from "../support/newestRelease.ts"

const folder = mkdtempSync(join(tmpdir(), "action-risk-batch-"))
afterAll(() => rmSync(folder, { recursive: true }))

const example = (name: string) => join(import.meta.dirname, "../../examples/requests", `${name}.json`)
const names = ["stripe-payout", "mcp-write-file", "sql-truncate"]
/** The example on one line. */
const lineOf = (name: string) => JSON.stringify(JSON.parse(readFileSync(example(name), "utf8")))

const batch = (input: string, args: ReadonlyArray<string> = [], options: RunOptions = {}) =>
  actionRisk(["assess", "--batch", "-", ...args], { ...options, input })

interface Answer extends AssessmentResponse {
  readonly line?: number
  readonly error?: {
    readonly code: string
    readonly documentation_url: string
    readonly details?: ReadonlyArray<{ readonly field: string }>
  }
}

const answersOf = ({ stdout }: Finished): ReadonlyArray<Answer> =>
  stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Answer)

/** Without what differs from run to run. */
const lasting = ({
  action_id: _a,
  assessment_id: _b,
  created_at: _c,
  processing_time_ms: _d,
  request_id: _e,
  timing: _f,
  ...rest
}: AssessmentResponse) => rest

/** A request of exactly this many bytes. */
const ofBytes = (bytes: number): string => {
  const request = (pad: number) =>
    `{"action_type":"read_file","environment":"production","metadata":{"pad":"${"x".repeat(pad)}"}}`
  return request(bytes - request(0).length)
}

/** Runs the command in this process, and returns its output. */
const answeredHere = async (input: string, scorer: ReturnType<typeof scorerOf>, threads?: number) => {
  const written: Array<string> = []
  const pipes = Stdio.layerTest({
    stdin: Stream.make(Buffer.from(input)),
    stdout: () => Sink.forEach((bytes) => Effect.sync(() => written.push(String(bytes))))
  })
  const exit = await Effect.runPromiseExit(
    assessBatch("-", { rules: null, offline: { mode: "test", policySet: "none" } }, threads).pipe(
      Effect.provide([scorer, pipes]),
      Effect.provide([AppConfig.layerFrom({}), NodeServices.layer]),
      Effect.provideService(Layer.CurrentMemoMap, rulesMemoMap)
    )
  )
  return { exit, written: written.join("") }
}

describe("assess --batch", () => {
  it("answers each line on one line, in order, as one assessment of the same request is answered", async () => {
    const finished = await batch(`${names.map(lineOf).join("\n")}\n`)
    expect([finished.code, finished.stderr]).toEqual([0, ""])
    const answers = answersOf(finished)
    const decode = Schema.decodeUnknownSync(AssessmentResponse, { onExcessProperty: "error" })
    const alone = await Promise.all(names.map((name) => actionRisk(["assess", example(name), "--json"])))
    expect(answers.map((answer) => lasting(decode(answer)))).toEqual(
      alone.map(({ stdout }) => lasting(JSON.parse(stdout)))
    )
    expect(new Set(answers.map(({ assessment_id }) => assessment_id)).size).toBe(names.length)
  })

  it("answers a refused line, in order, with the API's error and all its problems, and ends with 1", async () => {
    const good = lineOf("sql-truncate")
    const wrong = `{"action_type": " ", "environment": "prod", "colour": "red"}`
    const twice = `{"action_type": "x", "action_type": "y", "environment": "production"}`
    const finished = await batch([good, wrong, "", twice, `"text"`, good].join("\n"))
    const answers = answersOf(finished)
    expect(answers.map((answer) => [answer.line, answer.error?.code ?? answer.action_risk.level])).toEqual([
      [undefined, "low"],
      [2, "VALIDATION_FAILED"],
      [3, "MALFORMED_JSON"],
      [4, "MALFORMED_JSON"],
      [5, "VALIDATION_FAILED"],
      [undefined, "low"]
    ])
    const error = answers[1]?.error
    expect(error).toMatchObject({ retryable: false, request_id: expect.stringMatching(/^req_/) })
    expect(error?.details?.map(({ field }) => field)).toEqual(["action_type", "colour", "environment"])
    expect([finished.code, finished.stderr]).toEqual([
      1,
      "action-risk: 4 of 6 lines were refused, first line 2: see `error` in the answers\n"
    ])
  })

  it("shows what a line looks like if the lines are only names of tools", async () => {
    const { code, stderr, stdout } = await batch("list_issues\nBash\n")
    const shape = '{"action_type": "list_issues", "environment": "production"}'
    expect([code, stdout.split("\n").length - 1]).toEqual([1, 2])
    expect(stderr).toMatch(/^action-risk: 2 of 2 lines were refused, [^\n]+\n$/)
    expect(stderr).toContain(`a line is a request such as ${shape}`)
    expect(answersOf(await batch(shape))[0]?.action_risk.level).toBe("low")
  })

  it("takes lines as long as a body of the API, refuses longer ones, and goes on after them", async () => {
    const lines = [bodyBytesMax, bodyBytesMax + 1, 3 * 1_048_576].map(ofBytes)
    const finished = await batch([...lines, lineOf("sql-truncate"), ""].join("\n"))
    expect(answersOf(finished).map(({ error, line }) => [line, error?.code])).toEqual([
      [undefined, undefined],
      [2, "PAYLOAD_TOO_LARGE"],
      [3, "PAYLOAD_TOO_LARGE"],
      [undefined, undefined]
    ])
    expect(finished.code).toBe(1)
  })

  it("reads a file too, with the line breaks of Windows and without the last one", async () => {
    const path = join(folder, "requests.ndjson")
    writeFileSync(path, names.map(lineOf).join("\r\n"))
    const fromFile = await startProgram(["assess", "--batch", path])
    expect(answersOf(fromFile).map(lasting)).toEqual(
      answersOf(await batch(`${names.map(lineOf).join("\n")}\n`)).map(lasting)
    )
    expect(fromFile.code).toBe(0)
  })

  it("prints nothing for an empty input, and ends with 0", async () => {
    expect(await batch("")).toEqual({ code: 0, stdout: "", stderr: "" })
  })

  it("scores with the named rules and policies, in the named mode", async () => {
    const args = ["--rules", newestVersion, "--policies", "starter", "--mode", "live", "--json"]
    const [answer] = answersOf(await batch(lineOf("stripe-payout"), args))
    expect(answer).toMatchObject({
      risk_engine_version: expect.stringContaining(`+${newestVersion}.`),
      policy_version: expect.stringMatching(/^starter@/),
      environment_mode: "live"
    })
    expect(answer?.policy_context).not.toEqual([])
  })

  it("links to the documents of the service that PUBLIC_URL names", async () => {
    const urlIn = async (env: Record<string, string>) =>
      answersOf(await batch("{", [], { env }))[0]?.error?.documentation_url
    expect(await urlIn({ PUBLIC_URL: "https://risk.example.com" })).toBe(
      "https://risk.example.com/docs/errors#MALFORMED_JSON"
    )
    expect(await urlIn({})).toBe("/docs/errors#MALFORMED_JSON")
  })

  it.each(deep ? [1, 2] : [2])(
    "answers thousands of lines in order, with %i threads",
    { timeout: 120_000 },
    async (threads) => {
      const lines = (batchBlocksAlone + 3) * inputLinesAtOnce + 7
      const isWrong = (line: number) => line % 1_000 === 0
      const input = Array.from({ length: lines }, (_, at) =>
        isWrong(at + 1)
          ? "{"
          : `{"action_type":"read_file","environment":"production","agent_id":"agent-${at + 1}"}`
      )
      const { exit, written } = await answeredHere(input.join("\n"), scorerOf(null), threads)
      const answers = answersOf({ code: 0, stdout: written, stderr: "" })
      expect(
        answers.map((answer, at) => answer.line ?? answer.summary.match(/“agent-(\d+)”/)?.[1] ?? at)
      ).toEqual(input.map((_, at) => (isWrong(at + 1) ? at + 1 : String(at + 1))))
      expect(Exit.isFailure(exit) && Cause.pretty(exit.cause)).toContain(
        "8 of 8,967 lines were refused, first line 1,000:"
      )
    }
  )

  it.each([
    [1, "low"],
    [batchRetriesMax, "low"],
    [batchRetriesMax + 1, "ASSESSMENT_UNAVAILABLE"]
  ])("with %i scores in a row that take too long answers %s", async (slow, answered) => {
    let left = slow
    const stalling = Layer.effect(
      Scorer,
      Effect.map(Scorer, (real) => ({
        ...real,
        score: (...asked: Parameters<typeof real.score>) =>
          left-- > 0 ? Effect.fail(new ScoringFailed({ reason: "a stall" })) : real.score(...asked)
      }))
    ).pipe(Layer.provide(scorerOf(null)))
    const { written } = await answeredHere(lineOf("sql-truncate"), stalling)
    const [answer] = answersOf({ code: 0, stdout: written, stderr: "" })
    expect(answer?.error?.code ?? answer?.action_risk.level).toBe(answered)
  })

  it.each([
    [["assess"], "Missing required argument: file.json"],
    [["assess", "request.json", "--batch", "-"], "used without a file"],
    [["assess", "--batch", "-", "--history", "history.json"], "used without --history"]
  ])("refuses two sources of requests at once: %j", async (args, problem) => {
    const { code, stderr, stdout } = await spoken(...args)
    expect([code, stdout, stderr.length]).toEqual([2, "", 1])
    expect(stderr[0]).toContain(problem)
  })

  it("refuses a missing file, in one line", async () => {
    const { code, stderr } = await spoken("assess", "--batch", "/nowhere/requests.ndjson")
    expect([code, stderr]).toEqual([
      1,
      ["action-risk: /nowhere/requests.ndjson: cannot be read: there is no such file"]
    ])
  })
})
