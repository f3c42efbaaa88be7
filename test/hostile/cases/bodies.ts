/** Bytes that are not strict JSON. */

import { type Case, valid, malformedBody, posting, withField } from "./Case.ts"

const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`

export const bodies: ReadonlyArray<Case> = [
  ["an empty body", posting(""), malformedBody],
  ["only spaces", posting("  \n"), malformedBody],
  ["a byte-order mark", posting(`\ufeff${valid}`), malformedBody],
  ["a truncated object", posting(valid.slice(0, -1)), malformedBody],
  ["two objects", posting(valid + valid), malformedBody],
  ["a trailing comma", posting(valid.replace("}", ",}")), malformedBody],
  ["single quotes", posting("{'action_type':'a'}"), malformedBody],
  ["an unquoted key", posting("{action_type:1}"), malformedBody],
  ["a comment", posting(`/* hello */${valid}`), malformedBody],
  ["NaN", withField('"financial_value":NaN'), malformedBody],
  ["Infinity", withField('"financial_value":-Infinity'), malformedBody],
  ["a number that overflows", withField('"financial_value":1e999'), malformedBody],
  ["a negative number that overflows", withField('"metadata":{"a":[-1e400]}'), malformedBody],
  ["a leading zero", withField('"entities_affected":01'), malformedBody],
  ["a leading plus", withField('"entities_affected":+1'), malformedBody],
  ["a bare point", withField('"entities_affected":.5'), malformedBody],
  ["a trailing point", withField('"entities_affected":5.'), malformedBody],
  ["a hexadecimal number", withField('"entities_affected":0x10'), malformedBody],
  ["an empty exponent", withField('"entities_affected":1e'), malformedBody],
  [
    "a repeated key",
    posting('{"action_type":"a","environment":"production","environment":"development"}'),
    malformedBody
  ],
  [
    "a key repeated by an escape",
    posting('{"action_type":"a","environment":"production","\\u0065nvironment":"development"}'),
    malformedBody
  ],
  ["a repeated key inside metadata", withField('"metadata":{"x":{"y":1,"y":1}}'), malformedBody],
  ["a repeated __proto__", withField('"metadata":{"__proto__":1,"__proto__":2}'), malformedBody],
  ["a lone high surrogate", withField('"agent_id":"\\ud800"'), malformedBody],
  ["a lone low surrogate", withField('"agent_id":"\\udc00"'), malformedBody],
  ["surrogates in the wrong order", withField('"agent_id":"\\udc00\\ud800"'), malformedBody],
  ["a lone surrogate in a key", withField('"metadata":{"\\ud800":1}'), malformedBody],
  ["a raw control character", withField('"agent_id":"a\u0001b"'), malformedBody],
  ["a raw line break in a string", withField('"agent_id":"a\nb"'), malformedBody],
  ["a raw NUL in a string", withField('"agent_id":"a\u0000b"'), malformedBody],
  ["an unknown escape", withField('"agent_id":"\\x41"'), malformedBody],
  ["a short unicode escape", withField('"agent_id":"\\u00e"'), malformedBody],
  ["invalid UTF-8", posting(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), malformedBody],
  ["overlong UTF-8", posting(Buffer.from([0x22, 0xc0, 0xaf, 0x22])), malformedBody],
  ["a surrogate in UTF-8", posting(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])), malformedBody],
  ["UTF-16", posting(Buffer.from(valid, "utf16le")), malformedBody],
  ["33 levels of arrays", withField(`"metadata":{"a":${deep(31)}}`), malformedBody],
  ["30,000 levels of arrays", posting(deep(30_000)), malformedBody],
  ["30,000 levels left open", posting("[".repeat(30_000)), malformedBody],
  ["True", withField('"privilege_change":True'), malformedBody],
  ["undefined", withField('"agent_id":undefined'), malformedBody],
  ["a form", posting("action_type=a"), malformedBody],
  ["a vertical tab between tokens", posting(`\u000b${valid}`), malformedBody],
  ["a no-break space between tokens", posting(`\u00a0${valid}`), malformedBody]
]
