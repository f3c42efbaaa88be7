/** The working rule files, ready to score, so that tuning a number is tested before it is frozen. */

import { openedRulebook } from "./openedRulebook.ts"

export const { model, rules } = openedRulebook("draft").release
