/** Replaces a secret in a question. A shell treats it as an ordinary word, like the secret itself, and the call readers recognize it. */
export const secretMask = "*****"
