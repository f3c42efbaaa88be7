/** What stands in a question in the place of a secret: no shell acts on it differently from a secret, and readers know it for one. */
export const secretMask = "*****"
