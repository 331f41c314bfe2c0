import { expect, it } from 'vitest'
import { decode } from '../../../../web/jwt/decode.ts'
import { withOtherClaims, withOtherSignature, withoutAlgorithm, withoutSignature } from '../../../../web/jwt/spoil.ts'

const TOKEN = 'eyJhbGciOiJIUzUxMiJ9.eyJzdWIiOiJhIn0.QUJD'

it('another signature differs in one character', () => {
  expect(withOtherSignature(TOKEN)).toBe('eyJhbGciOiJIUzUxMiJ9.eyJzdWIiOiJhIn0.AUJD')
  expect(withOtherSignature('a.b.AUJD')).toBe('a.b.BUJD')
})

it('a token without an algorithm says so, keeps its claims and has no signature', () => {
  const { header, payload, signature } = decode(withoutAlgorithm(TOKEN))
  expect([header, payload, signature]).toEqual([
    { kind: 'object', members: { alg: 'none', typ: 'JWT' } },
    { kind: 'object', members: { sub: 'a' } },
    '',
  ])
})

it('other claims are under the old signature', () => {
  const { payload, signature } = decode(withOtherClaims(TOKEN, { sub: 'ève?>' }))
  expect([payload, signature]).toEqual([{ kind: 'object', members: { sub: 'ève?>' } }, 'QUJD'])
})

it('without its signature a token has two parts', () => {
  expect(withoutSignature(TOKEN)).toBe('eyJhbGciOiJIUzUxMiJ9.eyJzdWIiOiJhIn0')
})
