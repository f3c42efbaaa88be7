/** Section 8 of the specification, and every other limit of the service, as constants. */

export const bodyBytesMax = 65_536
export const jsonDepthMax = 32
export const actionTypeMax = 160
export const agentIdMax = 120
export const targetSystemMax = 80
export const targetResourceMax = 240
export const destinationMax = 240
export const actionDescriptionMax = 2_000
export const idempotencyKeyMax = 200
export const listLimitMax = 100
export const listLimitDefault = 25
export const searchMax = 120
export const errorDetailsMax = 100
