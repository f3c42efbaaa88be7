/** Type guards for unknown JSON: the client's schemas, since it uses no library. */

import { isRecord } from "../json/json.ts"

export type Shape<A> = (value: unknown) => value is A

export const text: Shape<string> = (value) => typeof value === "string"
export const flag: Shape<boolean> = (value) => typeof value === "boolean"
export const finite: Shape<number> = (value): value is number => Number.isFinite(value)

export const wholeFrom =
  (least: number, most: number): Shape<number> =>
  (value): value is number =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most

export const oneOf =
  <const A extends ReadonlyArray<string | number | boolean>>(values: A): Shape<A[number]> =>
  (value): value is A[number] =>
    values.some((each) => each === value)

export const orNull =
  <A>(shape: Shape<A>): Shape<A | null> =>
  (value): value is A | null =>
    value === null || shape(value)

/** A key that may be absent. JSON has no undefined, so nothing else needs to be allowed. */
export const optional =
  <A>(shape: Shape<A>): Shape<A | undefined> =>
  (value): value is A | undefined =>
    value === undefined || shape(value)

export const either =
  <A, B>(one: Shape<A>, other: Shape<B>): Shape<A | B> =>
  (value): value is A | B =>
    one(value) || other(value)

export const listOfAll =
  <A>(shape: Shape<A>): Shape<ReadonlyArray<A>> =>
  (value): value is ReadonlyArray<A> =>
    Array.isArray(value) && value.every(shape)

type Fields<A> = {
  readonly [K in keyof Required<A>]: object extends Pick<A, K> ? Shape<A[K] | undefined> : Shape<A[K]>
}

/** Requires every key of the type. Allows further keys, because the service may add some. */
export const record = <A extends object>(fields: Fields<A>): Shape<A> => {
  const entries = Object.entries<Shape<unknown>>(fields)
  return (value): value is A =>
    isRecord(value) &&
    entries.every(([key, shape]) => shape(Object.hasOwn(value, key) ? value[key] : undefined))
}
