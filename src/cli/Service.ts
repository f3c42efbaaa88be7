/** The whole service as one layer, from PostgreSQL up to the listening server. */

import { Layer } from "effect"
import { Assess } from "../assessment/Assess.ts"
import { Assessments } from "../assessment/Assessments.ts"
import { Scorer } from "../assessment/Scorer.ts"
import { Shadow } from "../assessment/Shadow.ts"
import { ShadowRelease } from "../assessment/ShadowRelease.ts"
import { Reviews } from "../reviews/Reviews.ts"
import { HttpServerLive } from "../server/Http.ts"
import { Database, OpeningDatabase } from "../storage/Database.ts"
import { OutboxBell } from "../storage/OutboxBell.ts"
import { relay } from "../webhooks/relay.ts"
import { Deliveries } from "../webhooks/Deliveries.ts"
import { Endpoints } from "../webhooks/Endpoints.ts"
import { tendSecrets } from "../webhooks/tendSecrets.ts"
import { storesOn } from "./Stores.ts"

// Layers close in the opposite order: HTTP drains first, PostgreSQL stops late. It starts while the rules open, in a process of
// its own. What became of it is asked after them, since a corrupt release refuses to serve whatever the database is like.
export const Service = HttpServerLive.pipe(
  Layer.provide([
    Assess.layer,
    Assessments.layer,
    Reviews.layer,
    Endpoints.layer,
    Deliveries.layer,
    tendSecrets
  ]),
  Layer.provide([Shadow.layer, relay.pipe(Layer.provide(OutboxBell.layer))]),
  Layer.provideMerge(storesOn),
  Layer.provideMerge(Database.layerServing),
  Layer.provide([Scorer.layer, ShadowRelease.layer]),
  Layer.provide(OpeningDatabase.layer)
)
