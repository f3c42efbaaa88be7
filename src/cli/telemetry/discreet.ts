/** A tracer whose spans tell what the service did and nothing that a caller sent. */

import { Cause, Exit, Tracer } from "effect"
import { describeCause } from "../../storage/describeCause.ts"

/** The attributes that are ours. A statement's text is not among them, nor whatever a library may add one day. */
const ours: ReadonlySet<string> = new Set([
  "http.request.method",
  "http.route",
  "http.response.status_code",
  "db.system.name",
  "db.namespace",
  "svc.request_id"
])

/** What failed and where; a message may hold a row, a statement or a value. */
const told = (cause: Cause.Cause<unknown>): Exit.Exit<never, Error> => {
  const { at, fault, sqlState } = describeCause(cause)
  const error = new Error(sqlState ?? fault)
  error.name = fault
  error.stack = `${fault}: ${error.message}\n${at.replaceAll(" ← ", "\n    ")}`
  return Exit.fail(error)
}

export const discreet = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const span = tracer.span(options)
      const { attribute, end, event } = span
      return Object.assign(span, {
        attribute: (key: string, value: unknown) => {
          if (ours.has(key)) attribute.call(span, key, value)
        },
        event: (name: string, startTime: bigint) => event.call(span, name, startTime),
        end: (endTime: bigint, exit: Exit.Exit<unknown, unknown>) =>
          end.call(
            span,
            endTime,
            Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause) ? told(exit.cause) : exit
          )
      })
    }
  })
