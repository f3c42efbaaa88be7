/** The documents beside the contract: OpenAPI, the interactive reference, the page of error codes; all work offline. */

import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import type { Answer } from "../Answer.ts"
import type { OpenHandler } from "../Handler.ts"
import { errorsPage } from "./documents/errorsPage.ts"

/** Nothing is loaded from elsewhere, whatever the embedded scripts would like to. */
const offline = (more: string) =>
  `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'unsafe-inline'${more}`

const html = (body: string, policy: string): Answer => ({
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": policy },
  body
})

const described = (baseUrl: string) =>
  Api.annotate(OpenApi.Servers, [{ url: baseUrl, description: "This service" }])

/** No fonts and no services from elsewhere. */
const scalar = {
  withDefaultFonts: false,
  hideModels: true,
  defaultOpenAllTags: true,
  showDeveloperTools: "never",
  authentication: { preferredSecurityScheme: "bearer" }
}

/** Effect's own reference page, with its script inside. */
const referencePage = async (baseUrl: string): Promise<string> => {
  const { dispose, handler } = HttpRouter.toWebHandler(
    HttpApiScalar.layer(described(baseUrl), { path: "/docs", scalar }),
    { disableLogger: true }
  )
  const response = await handler(new Request("http://localhost/docs"))
  const page = await response.text()
  await dispose()
  return page
}

/** `baseUrl` is known once the server listens; each document is made once, when first asked for. */
export const documentHandlers = Effect.fn("documentHandlers")(function* (baseUrl: () => string) {
  const openApi = yield* Effect.cached(
    Effect.sync(() => `${JSON.stringify(OpenApi.fromApi(described(baseUrl())), null, 2)}\n`)
  )
  const reference = yield* Effect.cached(Effect.promise(() => referencePage(baseUrl())))
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
    "/docs/errors": () => Effect.map(errors, (page) => html(page, offline("")))
  } satisfies Readonly<Record<string, OpenHandler>>
})
