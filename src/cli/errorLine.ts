/** A message as the one line that standard error gets, whatever it holds. */

export const errorLine = (message: string): string => `action-risk: ${message.replaceAll(/\s+/g, " ").trim()}`
