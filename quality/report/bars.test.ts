import { expect, it } from 'vitest'
import { barsOf } from './bars.ts'

const BARS = /<rect class="(\w+)" x="190" y="3" width="([\d.]+)"/g

const barsIn = (svg: string) => [...svg.matchAll(BARS)].map(([, kind, width]) => [kind, Number(width)])

it('bars begin at 0 and are as long as the ratio, and ours is among them', () => {
  const svg = barsOf([{ what: 'a call', times: { fourfold: 4, twofold: 2, half: 0.5 } }])
  expect(barsIn(svg)).toEqual([
    ['less', 60],
    ['ours', 120],
    ['bar', 240],
    ['bar', 480],
  ])
})

it('each comparison has its own axis, from 0', () => {
  const svg = barsOf([
    { what: 'a call', times: { fourfold: 4 } },
    { what: 'another', times: { half: 0.5 } },
  ])
  const ticks = [...svg.matchAll(/class="tick" x="([\d.]+)" y="14">([\d.]+)</g)].map(([, x, value]) => [
    Number(x),
    value,
  ])
  expect(ticks.slice(0, 5)).toEqual([
    [190, '0'],
    [310, '1'],
    [430, '2'],
    [550, '3'],
    [670, '4'],
  ])
  expect(ticks.slice(5).at(-1)).toEqual([670, '1'])
})

it('each bar has its name and value beside it, and no name is markup', () => {
  const svg = barsOf([{ what: 'a < b & c', times: { '<script>': 51.6 } }])
  expect(svg).toContain('>a &lt; b &amp; c</text>')
  expect(svg).toContain('>&lt;script&gt;</text>')
  expect(svg).toContain('>52 ×</text>')
})

it('a title can be read and read aloud', () => {
  expect(barsOf([])).toMatch(/aria-label="The same work elsewhere[^"]*".*<text class="title"[^>]*>The same work/s)
})
