import { expect, it } from 'vitest'
import { decode, timeOf } from '../../../../web/token/decode.ts'

const HEADER = 'eyJhbGciOiJIUzUxMiJ9'
const object = (members: object) => ({ kind: 'object', members })
const unreadable = (reason: string) => ({ kind: 'unreadable', reason })

it('decodes a token with any letters', () => {
  expect(decode(`${HEADER}.eyJzdWIiOiLDvMKiP34_Pj4ifQ.QUJD`)).toEqual({
    header: object({ alg: 'HS512' }),
    payload: object({ sub: 'ü¢?~?>>' }),
    signature: 'QUJD',
  })
})

it.each([
  ['nothing', '', 'It is missing.'],
  ['padding', 'e30=', 'It is not text in base64url.'],
  ['bytes that are not UTF-8', '_w', 'It is not text in base64url.'],
  ['no JSON', 'ew', 'It is not a JSON object.'],
  ['null', 'bnVsbA', 'It is not a JSON object.'],
])('shows why it cannot decode %s, and decodes the other part', (_, part, reason) => {
  expect(decode(`${HEADER}.${part}`)).toEqual({
    header: object({ alg: 'HS512' }),
    payload: unreadable(reason),
    signature: '',
  })
})

it.each([
  [1.5, '1970-01-01T00:00:01.500Z'],
  [8_640_000_000_001, undefined],
  [Number.POSITIVE_INFINITY, undefined],
  ['1', undefined],
])('%j is the time %s', (value, iso) => {
  expect(timeOf(value)?.toISOString()).toBe(iso)
})
