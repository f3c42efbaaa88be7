/** Replaces a secret in a question. A shell treats it like the secret, and the readers of calls recognize it. */
export const secretMask = "*****"
