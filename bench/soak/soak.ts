/**
 * Does the service stay as it is for an hour while everything around it changes?
 *
 * Method: two `action-risk serve` on one durable PostgreSQL, at half of what they answer at most. One stays from the first minute to the last and
 * is watched. The other one is ended every few seconds, in turn by SIGTERM and SIGKILL, and started again with another
 * rule release. Meanwhile the organization changes its policies, assessments are erased, the chain of evidence is verified, and
 * webhooks go to one good receiver and to three that hang, drip and refuse. A request without an answer is asked
 * again with its idempotency key, of the other process if need be, as a client does it.
 *
 * The conditions are in `goals.ts`. Ends with 1 if one does not hold.
 */

import { writeFileSync } from "node:fs"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs, styleText } from "node:util"
import { openDatabase } from "../stored/database.ts"
import { startService } from "../stored/service.ts"
import { connections } from "../stored/settings.ts"
import { underLoad } from "../stored/underLoad.ts"
import { acknowledgements } from "./acknowledgements.ts"
import { changes } from "./changes.ts"
import { goalsOf } from "./goals.ts"
import { startReceivers } from "./receivers.ts"
import { startReplicas } from "./replicas.ts"
import { type Sample, watch } from "./samples.ts"
import { soakPage } from "./soakPage.ts"
import { startLoad } from "./startLoad.ts"

const usage = `npm run soak                       # 60 minutes
npm run soak -- --minutes 2        # what CI runs
npm run soak -- --out /tmp/s.html  # the report, by default soak.html`

const refuse = (problem: string): never => {
  console.error(`${problem}\n\n${usage}`)
  process.exit(2)
}

const readFlags = () => {
  try {
    return parseArgs({
      options: {
        help: { type: "boolean", short: "h", default: false },
        minutes: { type: "string", default: "60" },
        out: { type: "string", default: "soak.html" }
      }
    }).values
  } catch (cause) {
    return refuse(cause instanceof Error ? cause.message : String(cause))
  }
}

const values = readFlags()
if (values.help) {
  console.log(usage)
  process.exit(0)
}
const minutes = Number(values.minutes)
if (!(minutes > 0)) refuse(`--minutes ${values.minutes}: give a number above 0`)

const capacitySeconds = Math.min(10, minutes * 6)
const progressMs = 5_000
const settleMs = 120_000

const say = (text: string) => console.error(styleText("dim", text))

await using database = await openDatabase()
say("starting the service and measuring what it answers at most …")
const key = await (async () => {
  await using first = await startService(database, { WEBHOOK_ALLOW_INSECURE: "loopback" })
  return first.key
})()
await using replicas = await startReplicas(database, key)
await using receivers = await startReceivers(database, replicas.urls()[0] ?? "")
const full = await underLoad({
  urls: replicas.urls(),
  requests: { run: "capacity", from: 0, key },
  connections,
  seconds: capacitySeconds,
  perSecond: null
})
const perSecond = Math.max(1, Math.floor(full.perSecond / 2))
say(`${Math.round(full.perSecond)} a second at most; soaking at ${perSecond} for ${minutes} minutes`)

const acknowledged = await acknowledgements(database)
const samples: Array<Sample> = []
const endsAtMs = Date.now() + minutes * 60_000
await using load = startLoad({ urls: replicas.urls(), key, perSecond }, acknowledged.keep)
await using watching = watch(replicas.steady, load, (sample) => samples.push(sample))
const { done, events } = changes({ database, key, load, minutes, replicas, endsAtMs })
const telling = setInterval(() => {
  const last = samples.at(-1)
  const left = Math.max(0, Math.round((endsAtMs - Date.now()) / 1_000))
  say(
    `${left} s left: ${acknowledged.count().toLocaleString("en-US")} acknowledged, heap ${last?.heapMb.toFixed(0)} MB, ${last?.descriptors} descriptors`
  )
}, progressMs)
await done
clearInterval(telling)
await load.stop()
watching.stop()
say("waiting until everything is sealed and delivered …")
await Promise.race([receivers.untilDelivered(), pause(settleMs)])

const goals = await goalsOf({ acknowledged, database, events, load, receivers, samples })
for (const { met, says } of goals)
  console.log(met ? styleText("green", `✓ ${says}`) : styleText("red", `✗ ${says}`))
writeFileSync(values.out, soakPage({ minutes, perSecond, samples, events, goals }))
console.log(`report: ${values.out}`)
process.exitCode = goals.every(({ met }) => met) ? 0 : 1
