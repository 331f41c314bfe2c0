import fc from 'fast-check'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, it } from 'vitest'
import { payloadSize } from '../../../../web/events/hints.ts'
import { ForeignText } from '../../../../web/ui/text.tsx'
import { hexRow, rowsOf } from '../../../../web/ui/text-rows.tsx'
import { duration } from '../../../../web/ui/times.tsx'
import { isInSight, sightOf, topOf } from '../../../../web/ui/virtual-lines.tsx'
import { detail } from './details.ts'

describe('a foreign text', () => {
  it.each([
    ['Renew\u202eal', 'U+202E'],
    ['a\u0000b', 'U+0000'],
    ['a\u{e0041}b', 'U+E0041'],
    ['a\u3164b', 'U+3164'],
    ['a\u2028b', 'U+2028'],
  ])('shows %j with the codes of invisible characters', (text, code) => {
    const html = renderToString(<ForeignText text={text} />)
    expect(html).toContain(`<span class="chip code-point">${code}</span>`)
    expect(html).not.toMatch(/[\u202e\u200b\u{e0041}\u3164\u2066\u2028]/u)
  })

  it.each(['日本語', '❤️', 'a\tb\nc'])('is unchanged: %j', (text) => {
    expect(renderToString(<ForeignText text={text} />)).toBe(`<bdi>${text}</bdi>`)
  })
})

describe('rows', () => {
  it('are parts of the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 9 }), (text, width) => {
        const starts = rowsOf(text, width)
        const rows = starts.map((start, index) => text.slice(start, starts[index + 1]))
        expect(rows.join('')).toBe(text)
        expect(rows.every((row) => row.length <= width + 1 && row.isWellFormed())).toBe(text.isWellFormed())
      }),
    )
  })

  it('end at line breaks', () => {
    expect(rowsOf('ab\ncdefg\n', 4)).toEqual([0, 3, 7])
  })

  it('of bytes have their offset, digits and letters', () => {
    const bytes = Uint8Array.from([0x47, 0x49, 0x46, 0, 0xff, 0x7f, 1, 2, 3])
    expect(hexRow(bytes, 0)).toBe('000000  47 49 46 00 ff 7f 01 02  GIF·····')
    expect(hexRow(bytes, 8)).toBe('000008  03                       ·')
  })
})

describe('the visible lines', () => {
  it('are few, for any number of lines', () => {
    fc.assert(
      fc.property(fc.nat(3_000_000), fc.double({ min: 0, max: 1, noNaN: true }), (count, part) => {
        const height = Math.min(count * 22, 20_000_000)
        const { first, last, before, after } = sightOf({ top: part * height, height: 700, unit: 22 }, count)
        expect(last - first).toBeLessThanOrEqual(60)
        expect(Math.min(first, before, after)).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('are the first ones at the top, and the last ones at the bottom', () => {
    const count = 2_000_000
    expect(sightOf({ top: 0, height: 700, unit: 22 }, count)).toMatchObject({ first: 0, last: 42, before: 0 })
    expect(sightOf({ top: 20_000_000 - 700, height: 700, unit: 22 }, count).last).toBe(count)
  })

  it('include a line after scrolling to it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (count, part) => {
        const line = Math.floor(part * (count - 1))
        const sight = { top: 0, height: 700, unit: 22 }
        const seen = { ...sight, top: topOf(sight, count, line) }
        const { first, last } = sightOf(seen, count)
        expect(first <= line && line < last).toBe(true)
        expect(isInSight(seen, count, line)).toBe(true)
      }),
    )
  })
})

it.each([
  [14, '14 ms'],
  [60_000, '1 min'],
  [252_000, '4 min 12 s'],
  [3_900_000, '1 h 5 min'],
  [90_000_000, '1 d 1 h'],
])('a duration of %i ms is %s', (milliseconds, words) => {
  expect(duration(milliseconds)).toBe(words)
})

it.each([
  [{ payload: 'é' }, '2 bytes'],
  [{ payload: 'AAEC', payloadEncoding: 'base64' }, '3 bytes'],
  [{ payload: 'x'.repeat(20_480) }, '20.0 KiB'],
  [{ payloadTruncated: true }, 'more than 256 KiB'],
  [{ payload: null }, undefined],
] as const)('a payload has a size: %#', (changes, size) => {
  expect(payloadSize(detail(changes))).toBe(size)
})
