/** Compares a mapping with what a server says of its tools: a stated tool that is gone, another description, a destructive one that is read as harmless. */

import { Effect, Result } from "effect"
import type { Mapping } from "../../agents/argumentPaths.ts"
import type { PlacedProblem } from "../../agents/fileShape.ts"
import { readActionRequest } from "../../api/AssessmentRequest.ts"
import { changeless } from "../../domain/Action.ts"
import { installedRules } from "../../rules/installedRules.ts"
import { assessOffline, scorerOf } from "../assessOffline.ts"
import { listedTools } from "./findGaps.ts"
import type { DescribedTool } from "./scaffoldTools.ts"

/** Undefined where the bare call is no valid request. */
const readingOf = Effect.fnUntraced(function* (tool: DescribedTool, mapping: Mapping, day: string) {
  const policySet = "none"
  const [seen] = listedTools([tool], { mapping, policySet, day })
  const read = readActionRequest(seen?.request ?? null, false)
  if (Result.isFailure(read)) return undefined
  const { reading } = yield* assessOffline(read.success.action, { mode: "test", policySet })
  return reading
})

const compareTool = Effect.fnUntraced(function* (
  name: string,
  tool: DescribedTool | undefined,
  mapping: Mapping,
  day: string
) {
  const at = `tools.${name}`
  if (tool === undefined) return [{ at, message: "is no tool that the server lists" }]
  const pin = mapping.file.tools[name]?.pin
  const found: Array<PlacedProblem> = []
  if (pin !== undefined && tool.pin !== undefined && pin !== tool.pin)
    found.push({
      at: `${at}.pin`,
      message: "the server describes the tool otherwise than when it was mapped"
    })
  const reading = tool.saysDestructive === true ? yield* readingOf(tool, mapping, day) : undefined
  if (reading !== undefined && changeless.has(reading.class))
    found.push({
      at: `${at}.action_type`,
      message: `counts as ${reading.class}, and the server says that the tool is destructive`
    })
  return found
})

/** Tools of other servers are left out. `day`: today in UTC. */
export const compareListed = Effect.fnUntraced(
  function* (listed: ReadonlyArray<DescribedTool>, server: string, mapping: Mapping, day: string) {
    const tools = new Map(listed.map((tool) => [tool.key, tool]))
    const names = Object.keys(mapping.file.tools).filter((name) => name.startsWith(`mcp:${server}/`))
    const found = yield* Effect.forEach(names, (name) => compareTool(name, tools.get(name), mapping, day))
    return found.flat()
  },
  Effect.provide([scorerOf(null), installedRules])
)
