/** The sentence that stands on every opinion and every error. */

export const disclaimer =
  "Action risk intelligence for decision support only. It does not authorize, approve, deny, block or execute the action; the customer remains responsible for authorization, execution and final decisions."
