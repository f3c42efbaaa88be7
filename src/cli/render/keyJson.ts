/** An API key as `--json` prints it: everything but the key. */

import type { ApiKey } from "../../storage/ApiKeys.ts"

export const keyJson = (key: ApiKey) => ({
  key_id: key.id,
  organization: key.organization,
  mode: key.mode,
  scopes: key.scopes,
  environments: key.environments,
  expires_at: key.expiresAt?.toISOString() ?? null
})
