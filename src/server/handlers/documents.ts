/** The documents about the contract: OpenAPI, the interactive reference, and the pages of codes and errors. All of them work offline. */

import { Effect, Result } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { Api } from "../../api/Api.ts"
import { completeOpenApi, withoutSampledOptions } from "../../api/openApi.ts"
import { withCodes } from "../../api/codeEnumerations.ts"
import { type ExplainedCode, explainedCodes } from "../../rules/codes.ts"
import { RulesRefused } from "../../rules/Finding.ts"
import { packageRoot } from "../../rules/files/readTree.ts"
import type { HttpExchange, HttpResponse, OpenHandler } from "../Exchange.ts"
import { codesPage } from "../pages/codesPage.ts"
import { errorsPage } from "../pages/errorsPage.ts"

/** A policy under which the page loads nothing from elsewhere, not even through its embedded scripts. */
const offline = (more: string) =>
  `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'unsafe-inline'${more}`

const html = (policy: string) => ({
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy
})

const compress = promisify(gzip)

/**
 * A document ready to send: encoded and compressed once, because anyone may request it without a key. Contract 3: responses are not cached.
 */
const encoded = Effect.fnUntraced(function* (text: string, type: Readonly<Record<string, string>>) {
  const plain = Buffer.from(text)
  const packed = yield* Effect.promise(() => compress(plain))
  const headers = { ...type, vary: "accept-encoding" }
  return ({ request }: HttpExchange): HttpResponse =>
    takesGzip(request.headers["accept-encoding"])
      ? { status: 200, headers: { ...headers, "content-encoding": "gzip" }, body: packed }
      : { status: 200, headers, body: plain }
})

/** RFC 9110 12.5.3: a weight of zero means that the client does not accept gzip. */
const takesGzip = (accepted: string | ReadonlyArray<string> | undefined): boolean =>
  String(accepted ?? "")
    .split(",")
    .some((coding) => /^\s*gzip\s*(?:;(?!\s*q=0(?:\.0*)?\s*$).*)?$/i.test(coding))

const described = (baseUrl: string) =>
  Api.annotate(OpenApi.Servers, [{ url: baseUrl, description: "This service" }])

/** The settings of the reference page: no fonts or services from elsewhere. */
const scalar = {
  withDefaultFonts: false,
  hideModels: true,
  defaultOpenAllTags: true,
  showDeveloperTools: "never",
  authentication: { preferredSecurityScheme: "bearer" }
}

/** Effect's reference page, which embeds its script. */
const referencePage = async (baseUrl: string, codes: ReadonlyArray<ExplainedCode>): Promise<string> => {
  const sampled = described(baseUrl).annotate(OpenApi.Transform, (document) =>
    withCodes(withoutSampledOptions(completeOpenApi(document)), codes)
  )
  const { dispose, handler } = HttpRouter.toWebHandler(
    HttpApiScalar.layer(sampled, { path: "/docs", scalar }),
    { disableLogger: true }
  )
  const response = await handler(new Request("http://localhost/docs"))
  const page = await response.text()
  await dispose()
  return page
}

/**
 * Each document is built at its first request, because `baseUrl` is known only after the server listens. The codes come from the working
 * rule files of this package, in addition to what the release says.
 */
export const documentHandlers = Effect.fn("documentHandlers")(function* (baseUrl: () => string) {
  const codes = yield* Effect.cached(
    Effect.orDie(Effect.fromResult(Result.mapError(explainedCodes(packageRoot), RulesRefused.of)))
  )
  const openApi = yield* Effect.cached(
    Effect.flatMap(codes, (all) => {
      const document = withCodes(OpenApi.fromApi(described(baseUrl())), all)
      return encoded(`${JSON.stringify(document, null, 2)}\n`, { "content-type": "application/json" })
    })
  )
  const scripted = "; script-src 'unsafe-inline'; img-src 'self' data:; font-src data:; connect-src 'self'"
  const reference = yield* Effect.cached(
    Effect.flatMap(codes, (all) =>
      Effect.flatMap(
        Effect.promise(() => referencePage(baseUrl(), all)),
        (page) => encoded(page, html(offline(scripted)))
      )
    )
  )
  const codeList = yield* Effect.cached(
    Effect.flatMap(codes, (all) => encoded(codesPage(all), html(offline(""))))
  )
  const errors = yield* Effect.cached(Effect.suspend(() => encoded(errorsPage(baseUrl()), html(offline("")))))

  const serve =
    (document: Effect.Effect<(exchange: HttpExchange) => HttpResponse>): OpenHandler =>
    (exchange) =>
      Effect.map(document, (answer) => answer(exchange))

  return {
    "/openapi.json": serve(openApi),
    "/docs": serve(reference),
    "/docs/codes": serve(codeList),
    "/docs/errors": serve(errors)
  } satisfies Readonly<Record<string, OpenHandler>>
})
