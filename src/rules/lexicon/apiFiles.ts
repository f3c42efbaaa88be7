/** `lexicon/apis/*.json`: requests to services, and the commands that do the same. */

import { Schema } from "effect"
import { wordsOf } from "../../scoring/reading/Act.ts"
import type { PreparedApi, PreparedRequest } from "../../scoring/reading/commands/apis.ts"
import { Why } from "../files/providerFiles.ts"
import { fileStruct } from "../files/vocabulary.ts"
import { faultOf, madeFrom, optionalWords, WordList, wordList } from "./actText.ts"

const request = /^(\*|[A-Z]+(?:\|[A-Z]+)*) (\/\S*)$/

const parseRequest = (text: string): Pick<PreparedRequest, "methods" | "segments"> => {
  const [, methods, path] = request.exec(text) ?? []
  if (methods === undefined || path === undefined) throw new Error(`No method and path: ${text}`)
  return {
    methods: methods === "*" ? undefined : new Set(methods.split("|")),
    segments: path.split("/").filter((segment) => segment !== "")
  }
}

const RequestText = Schema.String.check(
  Schema.makeFilter((text: string) => faultOf(() => parseRequest(text)))
).annotate({
  description:
    "`DELETE /repos/*/*`: methods, `*` for any, and a path. `*` stands for any characters of one segment, a last `**` for all that follow."
})
const CommandText = Schema.Trimmed.check(Schema.isNonEmpty()).annotate({
  description: "The command that does the same. `{1}` is the first segment of the path that has a `*`."
})
const SentText = WordList.annotate({
  description:
    "Only where the query or the body has one of these, without blanks and quotes and with `:` behind a key: `private:false`. `*` stands for any characters."
})

export const ApiFile = fileStruct({
  hosts: wordList("Hosts of the service; `*` stands for any characters."),
  base: optionalWords("The beginning of each path."),
  requests: Schema.Array(
    Schema.Union([
      Schema.Tuple([RequestText, CommandText]),
      Schema.Tuple([RequestText, CommandText, SentText])
    ])
  ).annotate({
    description:
      "Requests, and the commands that do the same. The first that fits decides. Another request is read by the words of its path."
  }),
  why: Why
})
export type ApiData = typeof ApiFile.Type

export const prepareApis = (data: ReadonlyArray<ApiData>): ReadonlyArray<PreparedApi> =>
  data.map(({ base = "", hosts, requests }) => ({
    hosts: wordsOf(hosts),
    base: base.split("/").filter((segment) => segment !== ""),
    requests: requests.map((written) =>
      madeFrom<PreparedRequest>(written, ["command"], {
        ...parseRequest(written[0]),
        command: written[1],
        sent: written[2] === undefined ? undefined : wordsOf(written[2])
      })
    )
  }))
