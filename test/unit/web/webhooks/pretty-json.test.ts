import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { prettyJson } from '../../../../web/webhooks/pretty-json.ts'

describe('JSON made readable', () => {
  it.each([
    ['{"a":1,"b":[true,null]}', '{\n  "a": 1,\n  "b": [\n    true,\n    null\n  ]\n}'],
    ['{"a":{},"b":[ ]}', '{\n  "a": {},\n  "b": []\n}'],
    ['"text"', '"text"'],
  ])('%s', (text, pretty) => {
    expect(prettyJson(text)).toBe(pretty)
  })

  it('is laid out as JSON.stringify does it', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(prettyJson(JSON.stringify(JSON.parse(text)))).toBe(JSON.stringify(JSON.parse(text), null, 2))
      }),
    )
  })

  it('keeps numbers and strings as they came', () => {
    expect(prettyJson('[10.50,12345678901234567890,"\\u00e9 {\\"a\\": [1,2]}"]')).toBe(
      '[\n  10.50,\n  12345678901234567890,\n  "\\u00e9 {\\"a\\": [1,2]}"\n]',
    )
  })

  it.each(['', 'a=b&c=d', '{"a":', "{'a':1}"])('is nothing for %j, which is none', (text) => {
    expect(prettyJson(text)).toBeUndefined()
  })
})
