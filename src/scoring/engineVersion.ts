/** The version of the scoring code: raised whenever the same request, history and rules could score differently. */

export const engineVersion = "1.0.0"
