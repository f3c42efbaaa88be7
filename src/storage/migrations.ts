/** Every migration, in order. A number that has been released is never edited, only followed. */

import type { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { createRoles } from "./migrations/0001_create_roles.ts"
import { createOrganizations } from "./migrations/0002_create_organizations.ts"
import { createAssessments } from "./migrations/0010_create_assessments.ts"
import { createHistory } from "./migrations/0011_create_history.ts"
import { createIdempotencyKeys } from "./migrations/0012_create_idempotency_keys.ts"
import { indexSearch } from "./migrations/0013_index_search.ts"
import { createRateLimits } from "./migrations/0020_create_rate_limits.ts"
import { letPolicySetsChange } from "./migrations/0021_let_policy_sets_change.ts"
import { createShadowOpinions } from "./migrations/0022_create_shadow_opinions.ts"
import { createBaselines } from "./migrations/0040_create_baselines.ts"
import { prepareSealing } from "./migrations/0041_prepare_sealing.ts"
import { createReviews } from "./migrations/0042_create_reviews.ts"
import { createWebhooks } from "./migrations/0043_create_webhooks.ts"
import { createErasures } from "./migrations/0044_create_erasures.ts"
import { lightenWrites } from "./migrations/0045_lighten_writes.ts"
import { indexIdsAlone } from "./migrations/0046_index_ids_alone.ts"
import { searchInOneCall } from "./migrations/0050_search_in_one_call.ts"

export type Migration = Effect.Effect<unknown, SqlError.SqlError, SqlClient.SqlClient>

export const migrations: Readonly<Record<string, Migration>> = {
  "0001_create_roles": createRoles,
  "0002_create_organizations": createOrganizations,
  "0010_create_assessments": createAssessments,
  "0011_create_history": createHistory,
  "0012_create_idempotency_keys": createIdempotencyKeys,
  "0013_index_search": indexSearch,
  "0020_create_rate_limits": createRateLimits,
  "0021_let_policy_sets_change": letPolicySetsChange,
  "0022_create_shadow_opinions": createShadowOpinions,
  "0040_create_baselines": createBaselines,
  "0041_prepare_sealing": prepareSealing,
  "0042_create_reviews": createReviews,
  "0043_create_webhooks": createWebhooks,
  "0044_create_erasures": createErasures,
  "0045_lighten_writes": lightenWrites,
  "0046_index_ids_alone": indexIdsAlone,
  "0050_search_in_one_call": searchInOneCall
}
