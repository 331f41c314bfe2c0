import { expect, it } from 'vitest'
import { barsOf } from './bars.ts'

const WIDTHS = /<rect(?: class="less")? x="([\d.]+)" y="3" width="([\d.]+)"/g

it('bars are as long as the logarithm of the ratio, to the right of one and to the left', () => {
  const svg = barsOf([{ what: 'a call', times: { tenfold: 10, hundredfold: 100, half: 0.5 } }])
  const bars = [...svg.matchAll(WIDTHS)].map(([, x, width]) => [Number(x), Number(width)])
  expect(bars).toEqual([
    [190, 92],
    [190, 184],
    [162.3, 27.7],
  ])
})

it('names and values stand beside the bars, and nothing in a name is markup', () => {
  const svg = barsOf([{ what: 'a < b & c', times: { '<script>': 51.6 } }])
  expect(svg).toContain('>a &lt; b &amp; c</text>')
  expect(svg).toContain('>&lt;script&gt;</text>')
  expect(svg).toContain('>52 ×</text>')
})
