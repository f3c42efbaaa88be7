/** Finds the SQL in the text that a tool is given: behind comments and other statements, in a fence, in JSON, in quotes. */

import { visibleText } from "../../names/lookalike.ts"

/** A statement of SQL that no other text begins with. */
const sqlOnly =
  /^\s*(?:select\b.*\bfrom|insert\s+into|update\s+\S+\s+set|delete\s+from|drop\s+(?:table|database|schema)|truncate\s+\w|alter\s+(?:table|role|user)|create\s+(?:table|index|unique|user|role|database)|grant\s|revoke\s)/is

const sqlStart =
  /^\s*(?:--|\/\*|select|insert|update|delete|drop|truncate|alter|create|grant|revoke|with|merge|explain|copy|call|exec|begin|from|show|describe|vacuum|replace)\b/i

/** `select delete_user(1)` reads nothing. Releases before 2.2.0 do not look for it where SQL is not promised. */
const callsFunction = /^\s*select\s+[a-z_][\w.]*\s*\(/i

/** What a tool that reads is asked to look for, `delete from cart`, has no marks and no capitals. */
const marked = /[;=(*]|\b[A-Z]{4,}\s+[A-Z]{4}/

const fence = /^```\w*\s*|\s*```$/g
const named = /^(?:sql|query|statement|command|q)\s*[=:]\s*/i
const quotes = /^(["'`])([^]*)\1$/
const jsonText = /"((?:[^"\\]|\\.)*)"/g
const escaped = /\\(?:n|r|t)/g

/** A text as JSON spells it: `DR\\u004fP` is `DROP`. */
const spelledOut = (text: string): string => {
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return text.replace(escaped, "\n")
  }
}

const withoutComments = (text: string): string =>
  text.replace(/^(?:\s|--[^\n]*(?:\n|$)|#[^\n]*(?:\n|$)|\/\*[^]*?\*\/|[;(])+/, "")

const begins = (text: string, beginnings: ReadonlySet<string>): boolean =>
  beginnings.has(/^[a-z]+/i.exec(withoutComments(text))?.[0].toLowerCase() ?? "")

/** Of JSON the texts that begin as SQL does; else the text itself, without what stands around it. */
const unwrapped = (resource: string, beginnings: ReadonlySet<string>, decodesJson: boolean): string => {
  const plain = visibleText(resource).trim().replace(fence, "").replace(named, "").trim()
  if (!/^[[{]/.test(plain)) return plain.replace(quotes, "$2")
  const texts = [...plain.matchAll(jsonText)].map(([, text = ""]) =>
    decodesJson ? spelledOut(text) : text.replace(escaped, "\n")
  )
  const found = texts.filter((text) => begins(text, beginnings))
  return found.length === 0 ? plain : found.join(";\n")
}

/**
 * The SQL of a resource. `promised`: the tool's name says that it takes SQL; `executes`: the tool runs something. Releases
 * before 2.1.0 have no `beginnings`: they look at the first word alone, and at tools that run something.
 */
export const sqlIn = (
  resource: string,
  {
    beginnings,
    decodesJson,
    executes,
    promised
  }: {
    readonly promised: boolean
    readonly executes: boolean
    readonly beginnings: ReadonlySet<string> | undefined
    readonly decodesJson: boolean
  }
): string | undefined => {
  if (beginnings === undefined)
    return (promised && sqlStart.test(resource)) || (executes && sqlOnly.test(resource))
      ? resource
      : undefined
  const text = unwrapped(resource, beginnings, decodesJson)
  if (!begins(text, beginnings)) return undefined
  if (promised) return text
  const isStatement = text.split(";").some((one) => {
    const plain = withoutComments(one)
    return sqlOnly.test(plain) || (decodesJson && callsFunction.test(plain))
  })
  return isStatement && (executes || marked.test(text)) ? text : undefined
}
