/** The whole service as one layer, from PostgreSQL up to the listening server. */

import { Layer } from "effect"
import { Assess } from "../assessment/Assess.ts"
import { Assessments } from "../assessment/Assessments.ts"
import { Scorer } from "../assessment/Scorer.ts"
import { HttpServerLive } from "../server/Http.ts"
import { Database } from "../storage/Database.ts"
import { storesOn } from "./Stores.ts"

// Layers close in the opposite order: HTTP drains first, PostgreSQL stops last.
export const Service = HttpServerLive.pipe(
  Layer.provide([Assess.layer, Assessments.layer]),
  Layer.provide(Scorer.layer),
  Layer.provideMerge(storesOn),
  Layer.provideMerge(Database.layerServing)
)
