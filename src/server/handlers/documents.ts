/** The documents beside the contract: OpenAPI, the interactive reference, and the pages of codes and of errors. All work offline. */

import { Effect, Result } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { completeOpenApi, withoutSampledOptions } from "../../api/openApi.ts"
import { withCodes } from "../../api/codeEnumerations.ts"
import { type ExplainedCode, explainedCodes } from "../../rules/codes.ts"
import { RulesRefused } from "../../rules/Finding.ts"
import { packageRoot } from "../../rules/files/readTree.ts"
import type { HttpResponse, OpenHandler } from "../Exchange.ts"
import { codesPage } from "../pages/codesPage.ts"
import { errorsPage } from "../pages/errorsPage.ts"

/** A policy under which the page loads nothing from elsewhere, not even from its embedded scripts. */
const offline = (more: string) =>
  `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'unsafe-inline'${more}`

const html = (body: string, policy: string): HttpResponse => ({
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": policy },
  body
})

const described = (baseUrl: string) =>
  Api.annotate(OpenApi.Servers, [{ url: baseUrl, description: "This service" }])

/** The settings of the reference page: without fonts or services from elsewhere. */
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
 * Each document is made at its first request, because `baseUrl` is known only when the server listens.
 * The codes come from the working rule files of this package: they are an addition to what the release itself says.
 */
export const documentHandlers = Effect.fn("documentHandlers")(function* (baseUrl: () => string) {
  const codes = yield* Effect.cached(
    Effect.orDie(Effect.fromResult(Result.mapError(explainedCodes(packageRoot), RulesRefused.of)))
  )
  const openApi = yield* Effect.cached(
    Effect.map(codes, (all) => {
      const document = withCodes(OpenApi.fromApi(described(baseUrl())), all)
      return `${JSON.stringify(document, null, 2)}\n`
    })
  )
  const reference = yield* Effect.cached(
    Effect.flatMap(codes, (all) => Effect.promise(() => referencePage(baseUrl(), all)))
  )
  const codeList = yield* Effect.cached(Effect.map(codes, codesPage))
  const errors = yield* Effect.cached(Effect.sync(() => errorsPage(baseUrl())))

  return {
    "/openapi.json": () =>
      Effect.map(openApi, (body) => ({
        status: 200,
        headers: { "content-type": "application/json" },
        body
      })),
    "/docs": () =>
      Effect.map(reference, (page) =>
        html(
          page,
          offline("; script-src 'unsafe-inline'; img-src 'self' data:; font-src data:; connect-src 'self'")
        )
      ),
    "/docs/codes": () => Effect.map(codeList, (page) => html(page, offline(""))),
    "/docs/errors": () => Effect.map(errors, (page) => html(page, offline("")))
  } satisfies Readonly<Record<string, OpenHandler>>
})
