import type { Ratios } from '../bench/findings.ts'

const WIDTH = 760
const MARGIN = 12
const LINE = 17
/** The x-coordinate of the value 1, Gatehouse's own, at which the bars begin. */
const ONCE = 190
/** The width of a factor of ten on the logarithmic scale, in pixels. */
const TENFOLD = 92

const AXIS = `<line x1="${ONCE}" x2="${ONCE}" y1="0" y2="${LINE}"/>`

/** Bars for the measurements of others, as multiples of Gatehouse's. */
export function barsOf(comparisons: readonly Ratios[]): string {
  const lines = comparisons.flatMap(({ what, times }) => [heading(what), ...Object.entries(times).map(bar), ''])
  const height = lines.length * LINE + MARGIN
  const placed = lines.flatMap((line, index) =>
    line === '' ? [] : `<g transform="translate(0 ${MARGIN + index * LINE})">${line}</g>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img">
<title>The same work elsewhere, as a multiple of what it takes in Gatehouse</title>
<style>
text { font: 12px system-ui, sans-serif; fill: #24292f }
.what { font-weight: 600 }
.name { text-anchor: end }
rect { fill: #2f6f9f }
.less { fill: #b35900 }
line { stroke: #8c959f }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  rect { fill: #58a6d6 }
  .less { fill: #e0924a }
}
</style>
${placed.join('\n')}
</svg>
`
}

function heading(what: string): string {
  return `<text class="what" x="${MARGIN}" y="12">${escaped(what)}</text>`
}

function bar([name, ratio]: [string, number]): string {
  const length = Math.log10(ratio) * TENFOLD
  const [from, kind] = length < 0 ? [ONCE + length, ' class="less"'] : [ONCE, '']
  const label = `<text class="name" x="${ONCE - 8 + Math.min(0, length)}" y="12">${escaped(name)}</text>`
  const value = `<text x="${ONCE + Math.max(0, length) + 6}" y="12">${short(ratio)} ×</text>`
  return `${label}<rect${kind} x="${round(from)}" y="3" width="${round(Math.abs(length))}" height="10"/>${value}${AXIS}`
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10
}

function short(ratio: number): string {
  return new Intl.NumberFormat('en', { maximumSignificantDigits: 2 }).format(ratio)
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escaped(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => ESCAPES[character] ?? '')
}
