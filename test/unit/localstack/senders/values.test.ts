import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../../localstack/command.ts'
import { readSetting, textAt, withSetting } from '../../../../localstack/senders/table.ts'

describe('--set', () => {
  it.each<[string, unknown]>([
    ['500', 500],
    ['{"b":[1]}', { b: [1] }],
    ['"500"', '500'],
    ['text', 'text'],
    ['', ''],
    ['a=b', 'a=b'],
    ['10.00', '10.00'],
    ['12345678901234567890', '12345678901234567890'],
    ['1e400', '1e400'],
  ])('a=%s is %j', (text, value) => {
    expect(readSetting(`a=${text}`)).toEqual({ path: ['a'], value })
  })

  it.each(['', 'a', '=1', 'a..b=1', '.=1', 'a.=1'])('%j is invalid', (text) => {
    expect(() => readSetting(text)).toThrow(UsageError)
  })

  it.each<[string, unknown, unknown]>([
    ['a=1', { a: 0, b: 2 }, { a: 1, b: 2 }],
    ['a.b=1', { a: { c: 2 } }, { a: { b: 1, c: 2 } }],
    ['a.b.c=1', {}, { a: { b: { c: 1 } } }],
    ['a.1.b=1', { a: [{}, { b: 0 }] }, { a: [{}, { b: 1 }] }],
    ['0.a=1', [{ a: 0 }], [{ a: 1 }]],
    ['a.b=1', { a: 'text' }, { a: { b: 1 } }],
  ])('%s in %j', (text, before, after) => {
    expect(withSetting(before, readSetting(text))).toEqual(after)
  })

  it('reaches no prototype', () => {
    const changed = withSetting({}, readSetting('__proto__.polluted=1'))
    expect(JSON.stringify(changed)).toBe('{"__proto__":{"polluted":1}}')
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  it('leaves its input unchanged', () => {
    const before = Object.freeze({ a: Object.freeze([Object.freeze({})]) })
    expect(withSetting(before, readSetting('a.0.b=1'))).toEqual({ a: [{ b: 1 }] })
  })
})

it('a text can be read from a place', () => {
  expect(textAt({ a: { b: 7 } }, ['a', 'b'])).toBe('7')
})
