import { describe, expect, it } from 'vitest'
import { pick, valueAt } from '../../../lib/webhooks/find.ts'
import { parseJson } from '../../../lib/webhooks/json.ts'

const PAYLOAD = parseJson(
  Buffer.from(
    '{"text":"t","number":1.10,"yes":true,"none":null,"list":["first"],"object":{"inner":"i"},"__proto__":{"p":"own"}}',
  ),
)

describe('the value at a path', () => {
  it.each([
    [['text'], 't'],
    [['number'], '1.10'],
    [['yes'], 'true'],
    [['list', '0'], 'first'],
    [['object', 'inner'], 'i'],
    [['__proto__', 'p'], 'own'],
  ])('is a text: %j', (path, text) => {
    expect(pick(PAYLOAD, path)).toBe(text)
  })

  it.each([
    [['none']],
    [['list']],
    [['object']],
    [['text', 'length']],
    [['number', 'text']],
    [['object', 'constructor', 'name']],
    [[]],
  ])('is not a text: %j', (path) => {
    expect(pick(PAYLOAD, path)).toBeUndefined()
  })

  it.each([undefined, null, 'text', true])('is undefined in %j', (payload) => {
    expect(pick(payload, ['length'])).toBeUndefined()
  })

  it('is the value itself', () => {
    expect(valueAt(PAYLOAD, ['list'])).toEqual(['first'])
    expect(valueAt(PAYLOAD, ['list', '1', 'x'])).toBeUndefined()
  })
})
