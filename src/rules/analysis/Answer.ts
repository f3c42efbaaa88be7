/** An answer about all facts at once: yes, or no with facts that show it, or not decided within the bound. */

import type { Facts } from "../../scoring/Facts.ts"

export type Answer =
  | { readonly is: "yes" }
  | { readonly is: "no"; readonly example: Facts }
  | { readonly is: "undecided" }
