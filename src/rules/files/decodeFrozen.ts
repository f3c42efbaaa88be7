/** Decodes the parts of a frozen release, which the schemas accepted when it was frozen: keys are renamed, and nothing is checked again. */

import { Schema, SchemaAST } from "effect"
import { isRecord } from "../../json/json.ts"
import { snakeCase } from "./vocabulary.ts"

type Decode = (json: unknown) => unknown

/** Undefined: the value in the file is the value in code. Most are, so most of a release is taken as it stands. */
const decoderOf = (ast: SchemaAST.AST): Decode | undefined => {
  if (SchemaAST.isArrays(ast)) return ofList(ast)
  if (SchemaAST.isObjects(ast)) return ofObject(ast)
  // Invariant: the members of a union need no renaming. The test over all files of the rules holds it.
  return undefined
}

const ofList = ({ elements, rest }: SchemaAST.Arrays): Decode | undefined => {
  const decoders = elements.map(decoderOf)
  const [behind] = rest.map(decoderOf)
  if (behind === undefined && decoders.every((decoder) => decoder === undefined)) return undefined
  return (json) =>
    Array.isArray(json)
      ? json.map((item: unknown, at) => {
          const decode = at < elements.length ? decoders[at] : behind
          return decode === undefined ? item : decode(item)
        })
      : json
}

const ofObject = ({ indexSignatures, propertySignatures }: SchemaAST.Objects): Decode | undefined => {
  const ofMember = indexSignatures.map(({ type }) => decoderOf(type)).find((decoder) => decoder !== undefined)
  const members = new Map(
    propertySignatures.map(({ name, type }) => [
      snakeCase(String(name)),
      { name: String(name), decode: decoderOf(type) }
    ])
  )
  const isRenamed = [...members].some(([key, { decode, name }]) => key !== name || decode !== undefined)
  if (!isRenamed && ofMember === undefined) return undefined
  return (json) =>
    isRecord(json)
      ? Object.fromEntries(
          Object.entries(json).map(([key, value]) => {
            const { decode = ofMember, name } = members.get(key) ?? { name: key }
            return [name, decode === undefined ? value : decode(value)]
          })
        )
      : json
}

const frozen = new WeakSet<object>()

/** Marks a document that the lock vouches for. A changed copy of it is another document, and is checked like any other. */
export const markFrozen = (json: unknown): void => {
  if (isRecord(json)) frozen.add(json)
}

export const isFrozen = (json: unknown): boolean => isRecord(json) && frozen.has(json)

const decoders = new WeakMap<SchemaAST.AST, Decode>()

export const decodeFrozen = <S extends Schema.ConstraintDecoder<unknown>>(
  { ast }: S,
  json: unknown
): S["Type"] => {
  const decode = decoders.get(ast) ?? decoderOf(SchemaAST.toType(ast)) ?? ((value) => value)
  decoders.set(ast, decode)
  // Invariant: the digest of the release is in the lock, so the schema accepted this document.
  return decode(json) as S["Type"]
}
