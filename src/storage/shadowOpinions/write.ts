/** The statement that writes shadow opinions: any number of them as one parameter, so that it is prepared once. */

import type { Gist } from "../../scoring/gist.ts"

export interface ShadowOpinion {
  readonly organizationId: string
  readonly assessmentId: string
  readonly rulesVersion: string
  /** SHA-256, hex. */
  readonly rulesDigest: string
  readonly gist: Gist
}

/** Only of what is stored: an opinion that comes late must not bring back what was erased meanwhile. */
export const writeShadows = `
INSERT INTO shadow_opinions (organization_id, assessment_id, rules_version, rules_digest, complete, score, level,
  action_category, action_class, control, factors)
SELECT told.organization_id, told.assessment_id, rules_version, decode(rules_digest, 'hex'), complete, score, level,
  action_category, action_class, control, factors
FROM json_to_recordset($1::json) AS told (organization_id uuid, assessment_id uuid, rules_version text,
  rules_digest text, complete boolean, score smallint, level text, action_category text, action_class text,
  control text, factors json)
CROSS JOIN LATERAL (
  SELECT FROM assessments
  WHERE assessments.organization_id = told.organization_id AND assessments.assessment_id = told.assessment_id
  LIMIT 1
) AS kept
ON CONFLICT DO NOTHING`

/** Named as the statement reads them. */
export const shadowRows = (opinions: ReadonlyArray<ShadowOpinion>) =>
  opinions.map(({ assessmentId, gist, organizationId, rulesDigest, rulesVersion }) => ({
    organization_id: organizationId,
    assessment_id: assessmentId,
    rules_version: rulesVersion,
    rules_digest: rulesDigest,
    complete: gist.complete,
    score: gist.score,
    level: gist.level,
    action_category: gist.category,
    action_class: gist.class,
    control: gist.control,
    factors: gist.factors.map(({ category, code, severity }) => ({ code, category, severity }))
  }))
