/** The documents that accompany the contract: they are complete and load nothing from elsewhere. */

import { describe, expect, it } from "vitest"
import { drills } from "../../src/api/AssessmentRequest.ts"
import { errorCodes } from "../../src/domain/ErrorCode.ts"
import { controlTypes } from "../../src/domain/Opinion.ts"
import { rules } from "../support/draft.ts"
import { testServer } from "../support/TestServer.ts"
import { expectHeaders } from "../support/expectRefusal.ts"
import { runServer } from "../support/runServer.ts"

const { url } = runServer(testServer())

const page = async (path: string) => {
  const response = await fetch(url() + path)
  const headers = Object.fromEntries(response.headers)
  expectHeaders({ status: response.status, headers, body: "" })
  return { status: response.status, headers, text: await response.text() }
}

/** URLs that a browser would load automatically. */
const loaded = (html: string) =>
  [...html.matchAll(/<(?:script|link|img|iframe)[^>]+(?:src|href)="([^"]+)"/g)].map(([, target]) => target)

describe("/docs/errors", () => {
  it("has an anchor, the status and an example for every code", async () => {
    const { headers, status, text } = await page("/docs/errors")
    expect(status).toBe(200)
    expect(headers["content-type"]).toBe("text/html; charset=utf-8")
    for (const [code, row] of Object.entries(errorCodes)) {
      const section = text.slice(text.indexOf(`<section id="${code}"`))
      expect(section.slice(0, section.indexOf("</section>"))).toContain(`HTTP ${row.status}`)
      expect(section).toContain(`https://risk.example/docs/errors#${code}`)
    }
    expect([...text.matchAll(/<section /g)]).toHaveLength(Object.keys(errorCodes).length)
  })

  it("runs no script and loads nothing", async () => {
    const { headers, text } = await page("/docs/errors")
    expect(text).not.toContain("<script")
    expect(loaded(text)).toEqual([])
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none';/)
  })
})

describe("/docs/codes", () => {
  it("says of every code of the rules and of every control what is expected of its reader", async () => {
    const { headers, status, text } = await page("/docs/codes")
    expect(status).toBe(200)
    expect(headers["content-type"]).toBe("text/html; charset=utf-8")
    const codes = [...controlTypes, ...rules.factors.map(({ match }) => match.code), "TAKE_BACKUP"]
    for (const code of codes) expect(text).toMatch(new RegExp(`<tr id="${code}">.*?</td><td>[^<]+`))
  })

  it("runs no script and loads nothing", async () => {
    const { headers, text } = await page("/docs/codes")
    expect(text).not.toContain("<script")
    expect(loaded(text)).toEqual([])
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none';/)
  })
})

/** The parameters in the document of the reference page, by operation. */
const parametersOn = (html: string): Readonly<Record<string, ReadonlyArray<Parameter>>> => {
  const [, json = ""] = /^ *content: (\{.*\})$/m.exec(html) ?? []
  const { paths } = JSON.parse(json) as { paths: Record<string, Record<string, Operation>> }
  return Object.fromEntries(
    Object.values(paths)
      .flatMap((item) => Object.values(item))
      .map(({ operationId, parameters }) => [operationId, parameters])
  )
}

interface Operation {
  readonly operationId: string
  readonly parameters: ReadonlyArray<Parameter>
}

interface Parameter {
  readonly name: string
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}

/** The page's script sends a parameter with its example, or else with a value made from its schema. */
const isSent = (parameter: Parameter) => "schema" in parameter || "example" in parameter

describe("/docs", () => {
  it("shows an ordinary call as its sample: no drill, no preference, no condition", async () => {
    const parameters = parametersOn((await page("/docs")).text)
    const sent = (operation: string) => (parameters[operation] ?? []).filter(isSent).map(({ name }) => name)
    expect(sent("assessAction")).toEqual(["idempotency-key"])
    expect(sent("getAssessment")).toEqual(["assessment_id"])
  })

  it("describes the drills all the same", async () => {
    const parameters = parametersOn((await page("/docs")).text)
    const drill = parameters["assessAction"]?.find(({ name }) => name === "svc-drill")
    expect(drill?.content?.["text/plain"]?.schema).toEqual({ type: "string", enum: [...drills] })
  })

  it("holds the reference and its script, and may connect only to this service", async () => {
    const { headers, status, text } = await page("/docs")
    expect(status).toBe(200)
    expect(text).toContain("assessAction")
    expect(text).toContain("https://risk.example")
    expect(loaded(text.replace(/<script>[\s\S]*?<\/script>/g, ""))).toEqual([])
    expect(headers["content-security-policy"]).toContain("connect-src 'self'")
    expect(headers["content-security-policy"]).not.toMatch(/https?:/)
  })
})

describe("the path above those of assessments", () => {
  it("is answered with where they are listed and asked for", async () => {
    const { status, text } = await page("/api/v1/assessments")
    expect([status, JSON.parse(text).error.code]).toEqual([404, "NOT_FOUND"])
    expect(JSON.parse(text).error.message).toContain("`GET /api/v1/actions`")
    expect((await page("/api/v1/assessment")).text).not.toContain("/api/v1/actions`")
  })
})

describe("the root", () => {
  it("answers with where the documents are, for a person who opens it in a browser first", async () => {
    const { status, text } = await page("/")
    expect([status, JSON.parse(text).error.code]).toEqual([404, "NOT_FOUND"])
    expect(JSON.parse(text).error.message).toContain("`/docs`")
  })
})

describe("every document", () => {
  it.each(["/docs", "/docs/codes", "/docs/errors", "/openapi.json"])(
    "%s is sent small, and never kept",
    async (path) => {
      const plain = await fetch(url() + path, { headers: { "accept-encoding": "identity" } })
      expect(plain.status).toBe(200)
      expect(plain.headers.get("content-encoding")).toBe(null)
      const packed = await fetch(url() + path, { headers: { "accept-encoding": "br, gzip" } })
      expect(packed.headers.get("content-encoding")).toBe("gzip")
      for (const { headers } of [plain, packed]) expect(headers.get("cache-control")).toBe("no-store")
      const text = await plain.text()
      expect(Number(packed.headers.get("content-length"))).toBeLessThan(Buffer.byteLength(text) / 2)
      expect(await packed.text()).toBe(text)
      const refused = await fetch(url() + path, { headers: { "accept-encoding": "gzip;q=0, identity" } })
      expect(refused.headers.get("content-encoding")).toBe(null)
    }
  )
})
