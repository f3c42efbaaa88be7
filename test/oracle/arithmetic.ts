/** Basis points 0..10000, every operation rounded upwards. */

const whole = 10_000

const ceilDivide = (a: number, b: number): number => (a % b === 0 ? a / b : Math.floor(a / b) + 1)

export const times = (p: number, q: number): number => ceilDivide(p * q, whole)

/** p ⊕ q = 1 − (1 − p)(1 − q) */
export const or = (p: number, q: number): number => whole - Math.floor(((whole - p) * (whole - q)) / whole)

export const percent = (p: number): number => ceilDivide(p, 100)

/** Straight lines between anchors, flat beyond both ends; `unit` of the amount make one of the anchors' x. */
export const interpolate = (
  anchors: ReadonlyArray<ReadonlyArray<number>>,
  amount: number,
  unit = 1
): number => {
  let [leftX, leftY] = [0, 0]
  for (const [x = 0, y = 0] of anchors) {
    const rightX = x * unit
    if (amount < rightX) return leftY + ceilDivide((amount - leftX) * (y - leftY), rightX - leftX)
    ;[leftX, leftY] = [rightX, y]
  }
  return leftY
}
