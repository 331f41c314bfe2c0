import type { Ratios } from '../bench/findings.ts'

const WIDTH = 760
const MARGIN = 12
const LINE = 17
/** The x-coordinate at which the bars begin, and the axis has its 0. */
const ZERO = 190
/** The width of the longest bar of a comparison. */
const LONGEST = 480

const OURS = 'gatehouse'
const TITLE = 'The same work elsewhere, as a multiple of what it takes in Gatehouse'
const SUBTITLE = 'Gross: nothing is subtracted. Who does with less is orange. Each axis has a length of its own.'

/** Bars for the measurements of others beside Gatehouse's; each comparison has a linear axis of its own, from 0. */
export function barsOf(comparisons: readonly Ratios[]): string {
  const lines = [textLine('title', TITLE), textLine('subtitle', SUBTITLE), '', ...comparisons.flatMap(groupOf)]
  const height = lines.length * LINE + MARGIN
  const placed = lines.flatMap((line, index) =>
    line === '' ? [] : `<g transform="translate(0 ${MARGIN + index * LINE})">${line}</g>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${TITLE}">
<style>
.paper { fill: #ffffff }
text { font: 12px system-ui, sans-serif; fill: #24292f }
.title { font-size: 15px; font-weight: 600 }
.what { font-weight: 600 }
.name { text-anchor: end }
.tick { text-anchor: middle; font-size: 10px }
.bar { fill: #2f6f9f }
.less { fill: #b35900 }
.ours { fill: #57606a }
line { stroke: #8c959f }
@media (prefers-color-scheme: dark) {
  .paper { fill: #0d1117 }
  text { fill: #e6edf3 }
  .bar { fill: #58a6d6 }
  .less { fill: #e0924a }
  .ours { fill: #9da7b3 }
}
</style>
<rect class="paper" width="${WIDTH}" height="${height}"/>
${placed.join('\n')}
</svg>
`
}

function textLine(kind: string, text: string): string {
  return `<text class="${kind}" x="${MARGIN}" y="12">${escaped(text)}</text>`
}

function groupOf({ what, times }: Ratios): readonly string[] {
  const bars: readonly [string, number][] = [...Object.entries(times), [OURS, 1]]
  const most = Math.max(...bars.map(([, ratio]) => ratio))
  const scale = LONGEST / most
  return [
    textLine('what', what),
    ...bars.toSorted(([, one], [, other]) => one - other).map((each) => bar(each, scale)),
    axis(most, scale),
    '',
  ]
}

function bar([name, ratio]: readonly [string, number], scale: number): string {
  const width = round(ratio * scale)
  const label = `<text class="name" x="${ZERO - 8}" y="12">${escaped(name)}</text>`
  const value = `<text x="${round(ZERO + width + 6)}" y="12">${short(ratio)} ×</text>`
  return `${label}<rect class="${kindOf(name, ratio)}" x="${ZERO}" y="3" width="${width}" height="10"/>${value}`
}

function kindOf(name: string, ratio: number): string {
  if (name === OURS) return 'ours'
  return ratio < 1 ? 'less' : 'bar'
}

/** From 0 to the longest bar, with some four steps. */
function axis(most: number, scale: number): string {
  const step = stepOf(most)
  const ticks = Array.from({ length: Math.floor(most / step) + 1 }, (_, count) => count * step)
  const marks = ticks.map((value) => {
    const x = round(ZERO + value * scale)
    return `<line x1="${x}" x2="${x}" y1="1" y2="4"/><text class="tick" x="${x}" y="14">${short(value)}</text>`
  })
  return `<line x1="${ZERO}" x2="${ZERO + LONGEST}" y1="1" y2="1"/>${marks.join('')}`
}

/** 1, 2 or 5 times a power of ten, of which four or so reach the value. */
function stepOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most / 4))
  return power * ([1, 2, 5].findLast((each) => each * power <= most / 4) ?? 1)
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
