import { expect, it } from 'vitest'
import {
  asText,
  decode,
  membersOf,
  readPasted,
  timeOf,
  withClaims,
  withHeaderChanges,
  withMember,
  withOtherRole,
  withOtherSignature,
  withoutMember,
} from '../../../../web/token/token.ts'

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

it.each([
  ['admin', 'admin'],
  [['a'], '["a"]'],
  [undefined, ''],
])('%j is shown in a field as %s', (value, text) => {
  expect(asText(value)).toBe(text)
})

it.each([
  ['sub', '1', '1'],
  ['exp', '5', 5],
  ['exp', 'soon', 'soon'],
  ['aud', '["b"]', ['b']],
])('%s set to %j is %j', (name, text, value) => {
  expect(withMember({ sub: 'a', exp: 1, aud: ['x'] }, name, text)).toMatchObject({ [name]: value })
})

it('a removed member keeps the others', () => {
  expect(withoutMember({ sub: 'a', role: 'b' }, 'role')).toEqual({ sub: 'a' })
})

it.each([
  ['  a.b.c\n', []],
  ['bearer   a.b.c', ['Bearer']],
  ['Authorization: Bearer a.b.c', ['Authorization', 'Bearer']],
  ['\u201ca.b.c\u201d', ['quotes']],
  ["'authorization: Bearer a.b.c'", ['quotes', 'Authorization', 'Bearer']],
  ['a. b\t.\u00a0c\u200b', ['line breaks and blanks']],
  ['Bearer\na.b.c', ['Bearer']],
])('%j contains the token', (text, removed) => {
  expect(readPasted(text)).toEqual({ token: 'a.b.c', removed })
})

it.each(['Bearer', '', ' ', '""', 'Bearer '])('%j contains no token', (text) => {
  expect(readPasted(text).token).toBe('')
})

it('a text that begins like the scheme is not the scheme', () => {
  expect(readPasted('Bearera.b.c').token).toBe('Bearera.b.c')
})

const TOKEN = 'eyJhbGciOiJIUzUxMiJ9.eyJzdWIiOiJhIn0.QUJD'

it('another signature differs in one character', () => {
  expect(withOtherSignature(TOKEN)).toBe('eyJhbGciOiJIUzUxMiJ9.eyJzdWIiOiJhIn0.AUJD')
  expect(withOtherSignature('a.b.AUJD')).toBe('a.b.BUJD')
})

it('a changed header keeps its other members, the claims and the signature', () => {
  const { header, payload, signature } = decode(withHeaderChanges(TOKEN, { kid: 'ü/?' }))
  expect([membersOf(header), membersOf(payload), signature]).toEqual([
    { alg: 'HS512', kid: 'ü/?' },
    { sub: 'a' },
    'QUJD',
  ])
})

it('an unreadable header is replaced', () => {
  expect(membersOf(decode(withHeaderChanges('?.b.c', { alg: 'none' })).header)).toEqual({ alg: 'none' })
})

it('other claims keep the old signature', () => {
  const { payload, signature } = decode(withClaims(TOKEN, { sub: 'ève?>' }))
  expect([membersOf(payload), signature]).toEqual([{ sub: 'ève?>' }, 'QUJD'])
})

it.each([
  ['ROLE_ADMIN', 'ROLE_USER'],
  ['ROLE_USER', 'ROLE_ADMIN'],
  [undefined, 'ROLE_ADMIN'],
])('the other role of %s is %s', (role, other) => {
  const { payload } = decode(withOtherRole(withClaims(TOKEN, { sub: 'a', role })))
  expect(membersOf(payload)).toEqual({ sub: 'a', role: other })
})
