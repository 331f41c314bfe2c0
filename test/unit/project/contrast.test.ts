import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** The pairs of colors of the style sheet, by their names: light, dark. */
const TOKENS = new Map(
  [
    ...readFileSync('web/style/tokens.css', 'utf8').matchAll(
      /--([\w-]+): light-dark\((#[0-9a-f]{3,6}), (#[0-9a-f]{3,6})\)/g,
    ),
  ].map(([, name = '', light = '', dark = '']) => [name, { light, dark }]),
)

const SURFACES = ['page', 'surface', 'raised', 'tint']
const TEXTS = ['text', 'muted', 'accent', 'ok', 'wait', 'bad', 'violet', 'teal']

type Rgb = readonly [number, number, number]

function rgbOf(name: string, scheme: 'light' | 'dark'): Rgb {
  const hex = TOKENS.get(name)?.[scheme].slice(1) ?? ''
  const digits = hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex
  const [red = Number.NaN, green = Number.NaN, blue = Number.NaN] = (digits.match(/../g) ?? []).map((pair) =>
    Number.parseInt(pair, 16),
  )
  return [red, green, blue]
}

/** WCAG 2.2, "relative luminance". */
function luminanceOf(color: Rgb): number {
  const [red, green, blue] = color.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG 2.2, "contrast ratio". */
function contrastOf(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** As `color-mix(in srgb, color share, surface)` does it. */
function tinted(color: Rgb, surface: Rgb, share: number): Rgb {
  return color.map((value, index) => value * share + (surface[index] ?? 0) * (1 - share)) as unknown as Rgb
}

describe.each(['light', 'dark'] as const)('in %s colors', (scheme) => {
  it.each(TEXTS.flatMap((text) => SURFACES.map((surface) => [text, surface] as const)))(
    'text in %s is readable on %s (4.5 : 1)',
    (text, surface) => {
      expect(contrastOf(rgbOf(text, scheme), rgbOf(surface, scheme))).toBeGreaterThanOrEqual(4.5)
    },
  )

  it.each(TEXTS.slice(2).flatMap((text) => [0.08, 0.09, 0.11].map((share) => [text, share] as const)))(
    '%s is readable on its own tint of %d (4.5 : 1)',
    (text, share) => {
      const color = rgbOf(text, scheme)
      expect(contrastOf(color, tinted(color, rgbOf('surface', scheme), share))).toBeGreaterThanOrEqual(4.5)
    },
  )

  it('the text of a primary button is readable (4.5 : 1), and the border of a field is visible (3 : 1)', () => {
    expect(contrastOf(rgbOf('on-accent', scheme), rgbOf('accent', scheme))).toBeGreaterThanOrEqual(4.5)
    expect(contrastOf(rgbOf('edge', scheme), rgbOf('surface', scheme))).toBeGreaterThanOrEqual(3)
  })
})
