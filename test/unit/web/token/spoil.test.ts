import { expect, it } from 'vitest'
import { decode } from '../../../../web/token/decode.ts'
import {
  membersOf,
  withClaims,
  withHeaderChanges,
  withOtherRole,
  withOtherSignature,
} from '../../../../web/token/spoil.ts'

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
