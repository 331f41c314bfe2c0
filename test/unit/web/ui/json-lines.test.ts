import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isContainer,
  type JsonLines,
  jsonLines,
  keyText,
  matchesOf,
  opened,
  pathTo,
  siblingOf,
  unfolded,
  valueText,
} from '../../../../web/ui/json-lines.ts'

function linesOf(text: string): JsonLines {
  const lines = jsonLines(text)
  if (!lines) throw new Error('no JSON')
  return lines
}

/** The text that the lines show, without the white space between values. */
function shown(lines: JsonLines, line = 0): string {
  const key = keyText(lines, line)
  return (key === undefined ? '' : `${key}:`) + (isContainer(lines, line) ? contents(lines, line) : bare(lines, line))
}

function bare(lines: JsonLines, line: number): string {
  return valueText(lines, line).replace(/^([[{])\s+([\]}])$/, '$1$2')
}

function contents(lines: JsonLines, line: number): string {
  const members: string[] = []
  for (let at = line + 1; at < (lines.nexts[line] ?? 0); at = lines.nexts[at] ?? 0) members.push(shown(lines, at))
  const [open, close] = valueText(lines, line)[0] === '{' ? '{}' : '[]'
  return open + members.join(',') + close
}

/** JSON in any spelling: escapes, exponents, repeated keys, white space. */
const spelled = fc.letrec<{ value: string }>((tie) => {
  const blank = fc.constantFrom('', ' ', '\n', '\t ')
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }).map((value) => JSON.stringify(value)),
    fc.constantFrom('"\\u202e"', '"\\"\\\\"', '"\\\\"', '"{[,:]}"', '"\u202e"', '"a\\/b"'),
  )
  const word = fc.constantFrom('10.10', '12345678901234567890', '1E5', '-0', '1e-7', 'true', 'false', 'null')
  const spaced = fc.tuple(blank, tie('value'), blank).map((parts) => parts.join(''))
  const member = fc
    .tuple(blank, text, blank, spaced)
    .map(([before, key, after, value]) => `${before}${key}${after}:${value}`)
  return {
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      word,
      fc.array(spaced, { maxLength: 4 }).map((values) => `[${values.join(',')}]`),
      fc.array(member, { maxLength: 4 }).map((members) => `{${members.join(',')}}`),
    ),
  }
}).value

/** JSON without the white space outside of strings, written apart from the code under test. */
const compact = (text: string) => text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')

describe('the lines of a JSON text', () => {
  it('show the given text, in its spelling', () => {
    fc.assert(
      fc.property(spelled, (text) => {
        expect(shown(linesOf(text))).toBe(compact(text))
      }),
    )
  })

  it('of a part end where the part ends', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.nat(), (json, cut) => {
        const text = `[${json},${json}]`
        const part = text.slice(0, 1 + (cut % (text.length - 1)))
        expect(jsonLines(part, true)?.text).toBe(part)
      }),
    )
    const lines = jsonLines('{"a":[1,2', true)
    expect(lines && [0, 1, 2, 3].map((line) => valueText(lines, line))).toEqual(['{"a":[1,2', '[1,2', '1', '2'])
  })

  it.each(['', '{"a":', '[1,]', '{} {}'])('do not exist for %j, which is not JSON', (text) => {
    expect(jsonLines(text)).toBeUndefined()
  })

  it('do not exist for a part that does not begin as JSON', () => {
    expect(jsonLines('amount=1&currency=EUR', true)).toBeUndefined()
  })
})

describe('a line', () => {
  const lines = linesOf('{"data":{"list":[{"order id":"order-1"}],"currency":"eur"},"end":null}')

  it('has a path', () => {
    expect(lines.starts.map((_, line) => pathTo(lines, line))).toEqual([
      '$',
      '$.data',
      '$.data.list',
      '$.data.list[0]',
      '$.data.list[0]["order id"]',
      '$.data.currency',
      '$.end',
    ])
  })

  it('has the original value, and a container has all of it', () => {
    expect(valueText(lines, 2)).toBe('[{"order id":"order-1"}]')
  })

  it('knows its siblings, and the last of duplicate ones', () => {
    expect(siblingOf(lines, 2, 'currency')).toBe('"eur"')
    expect(siblingOf(lines, 2, 'order id')).toBeUndefined()
    expect(siblingOf(lines, 0, 'data')).toBeUndefined()
    expect(siblingOf(linesOf('{"a":1,"a":2,"b":3}'), 3, 'a')).toBe('2')
  })

  it('is hidden with its folded container, and is shown again for a search', () => {
    expect(unfolded(lines, new Set())).toEqual([1, 2, 3, 4, 5, 6])
    expect(unfolded(lines, new Set([2]))).toEqual([1, 2, 5, 6])
    expect(unfolded(lines, opened(lines, new Set([1, 2, 3]), 4))).toEqual([1, 2, 3, 4, 5, 6])
  })

  it.each(['{}', '[ ]', '1'])('is the only one for %s', (text) => {
    expect(unfolded(linesOf(text), new Set())).toEqual([0])
  })
})

describe('a search in the lines', () => {
  const lines = linesOf('{"Order":{"id":"order-1","note":"a.b"},"list":["ORDER","x"]}')

  it.each([
    ['order', [1, 2, 5]],
    ['a.b', [3]],
    ['axb', []],
    ['', []],
  ])('for %j finds keys and values in any case', (words, expected) => {
    expect(matchesOf(lines, words)).toEqual(expected)
  })

  it('finds each line that contains the text, once', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[ab]{0,6}$/)), (values) => {
        const found = matchesOf(linesOf(JSON.stringify(values)), 'ab')
        expect(found).toEqual(values.flatMap((value, index) => (value.includes('ab') ? [index + 1] : [])))
      }),
    )
  })
})
