/** Each text color of the report has enough contrast with its background, in the light and in the dark style. */

import { describe, expect, it } from "vitest"
import { reportStyles } from "../../../src/cli/report/styles.ts"

type Colour = readonly [red: number, green: number, blue: number]

const colourOf = (hex: string): Colour => {
  const [red = 0, green = 0, blue = 0] = (hex.match(/[0-9a-f]{2}/gi) ?? []).map((part) =>
    Number.parseInt(part, 16)
  )
  return [red, green, blue]
}

/** Relative luminance (WCAG 2.2). */
const luminance = (colour: Colour): number => {
  const [red = 0, green = 0, blue = 0] = colour
    .map((part) => part / 255)
    .map((part) => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (one: Colour, other: Colour): number => {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

const mixed = (one: Colour, share: number, other: Colour): Colour => {
  const part = (at: 0 | 1 | 2) => one[at] * share + other[at] * (1 - share)
  return [part(0), part(1), part(2)]
}

const [light = "", dark = ""] = [...reportStyles.matchAll(/:root\{([^}]*--ink[^}]*)\}/g)].map(
  ([, text = ""]) => text
)

describe.each([
  ["light", light],
  ["dark", dark]
])("in the %s", (_which, text) => {
  const named = new Map(
    [...text.matchAll(/--(\w+):(#[0-9a-f]{6})/g)].map(([, name = "", hex = ""]) => [name, colourOf(hex)])
  )
  const colour = (name: string): Colour => named.get(name) ?? [0, 0, 0]

  it.each(["ink", "soft", "link", "good", "look", "bad", "rise", "fall"])("%s can be read", (name) => {
    expect(named.has(name)).toBe(true)
    for (const ground of ["paper", "card"]) {
      expect(contrast(colour(name), colour(ground))).toBeGreaterThanOrEqual(4.5)
    }
  })

  it.each(["rise", "fall"])("a figure can be read in the strongest tint of %s", (name) => {
    const shares = [
      ...reportStyles.matchAll(
        new RegExp(`--${name}-\\d:color-mix\\(in srgb,var\\(--${name}\\) (\\d+)%`, "g")
      )
    ]
    const strongest = Math.max(...shares.map(([, share]) => Number(share)))
    expect(strongest).toBeGreaterThan(0)
    expect(
      contrast(colour("ink"), mixed(colour(name), strongest / 100, colour("paper")))
    ).toBeGreaterThanOrEqual(4.5)
  })
})
