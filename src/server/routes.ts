/** Routes by the exact paths of the contract and the documents: case, double and trailing slashes and `;` matter. */

import { Context, Option, Result } from "effect"
import { HttpApi } from "effect/http-api"
import { Api, type OperationId } from "../api/Api.ts"
import { RequiredScope } from "../api/Authorization.ts"
import { MethodNotAllowed, NotFound } from "../api/Failures.ts"
import type { Scope } from "../domain/Caller.ts"
import type { KeyedHandler, OpenHandler } from "./Exchange.ts"

/** The operations without a key, for which the contract requires no scope. */
type OpenOperation = "getStatus"

export interface Handlers {
  readonly keyed: Readonly<Record<Exclude<OperationId, OpenOperation>, KeyedHandler>>
  readonly open: Readonly<Record<OpenOperation, OpenHandler>>
  /** Documents outside the contract that GET serves, by path. */
  readonly documents: Readonly<Record<string, OpenHandler>>
}

export interface KeyedRoute {
  readonly scope: Scope
  readonly handle: KeyedHandler
}

export type Route = KeyedRoute | { readonly scope: null; readonly handle: OpenHandler }

type Methods = Map<string, Route>

interface Pattern {
  readonly template: string
  readonly expression: RegExp
  readonly methods: Methods
}

export interface MatchedRoute {
  readonly route: Route
  /** The path in the contract, such as `/api/v1/assessments/{id}`. */
  readonly template: string
  readonly params: Readonly<Record<string, string>>
}

const acceptedMethods = (methods: Methods): string =>
  [...methods.keys()]
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .toSorted()
    .join(", ")

/** Paths that people and programs often try first, with a hint to where they should look. */
const elsewhere: Readonly<Record<string, string>> = {
  "/": "the API is documented at `/docs`, and for programs at `/openapi.json`; the console has an address of its own, which the service prints at its start",
  "/api/v1/assessments":
    "assessments are listed by `GET /api/v1/actions` and asked for by `POST /api/v1/actions/assess`; one of them is at `/api/v1/assessments/{assessment_id}`"
}

const nothingAt = (path: string): NotFound => {
  const message = elsewhere[path]
  return message === undefined ? new NotFound() : new NotFound({ message })
}

export const makeRoutes = (handlers: Handlers) => {
  const exact = new Map<string, Methods>()
  const patterns = new Map<string, Pattern>()

  const methodsOf = (path: string): Methods => {
    if (!path.includes(":")) return exact.get(path) ?? exact.set(path, new Map()).get(path) ?? new Map()
    const known = patterns.get(path)
    if (known !== undefined) return known.methods
    const source = path.replace(/:(\w+)/g, "(?<$1>[^/;]+)")
    const methods: Methods = new Map()
    const template = path.replace(/:(\w+)/g, "{$1}")
    patterns.set(path, { template, expression: new RegExp(`^${source}$`), methods })
    return methods
  }

  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint }) => {
      const scope = Context.getOption(endpoint.annotations, RequiredScope)
      const route = Option.match(scope, {
        onSome: (scope): Route => ({
          scope,
          handle: handlers.keyed[endpoint.identifier as keyof Handlers["keyed"]]
        }),
        onNone: (): Route => ({ scope: null, handle: handlers.open[endpoint.identifier as OpenOperation] })
      })
      methodsOf(endpoint.path).set(endpoint.method, route)
    }
  })
  for (const [path, handle] of Object.entries(handlers.documents)) {
    methodsOf(path).set("GET", { scope: null, handle })
  }

  const match = (path: string): (Omit<MatchedRoute, "route"> & { readonly methods: Methods }) | null => {
    const methods = exact.get(path)
    if (methods !== undefined) return { methods, template: path, params: {} }
    for (const { expression, methods, template } of patterns.values()) {
      const groups = expression.exec(path)?.groups
      if (groups !== undefined) return { methods, template, params: groups }
    }
    return null
  }

  // HEAD uses the route of GET.
  return (method: string, path: string): Result.Result<MatchedRoute, NotFound | MethodNotAllowed> => {
    const matched = match(path)
    if (matched === null) return Result.fail(nothingAt(path))
    const route = matched.methods.get(method === "HEAD" ? "GET" : method)
    return route === undefined
      ? Result.fail(new MethodNotAllowed({ allow: acceptedMethods(matched.methods) }))
      : Result.succeed({ route, template: matched.template, params: matched.params })
  }
}
