/** What `action-risk keys revoke --json` prints. */

import { Schema } from "effect"
import { IsoMillis } from "../../../api/Scalars.ts"
import { keyFields } from "./key.ts"

export const keysRevokeShape = Schema.Struct({ key_id: keyFields.key_id, revoked_at: IsoMillis })
