import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readCompactJwt } from '../../../lib/auth/jwt.ts'

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const HEADER = part({ alg: 'HS512' })

const characters = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')

it('a signature is canonical exactly if its bytes are encoded so', () => {
  fc.assert(
    fc.property(fc.string({ unit: characters, maxLength: 90 }), (signature) => {
      const isSame = Buffer.from(signature, 'base64url').toString('base64url') === signature
      expect(readCompactJwt(`${HEADER}.${part({})}.${signature}`).isCanonical).toBe(isSame)
    }),
  )
})

it('each token has its own header, independent of earlier ones', () => {
  const other = part({ alg: 'HS512', kid: 'k2' })
  const kids = [HEADER, other, HEADER, other].map((header) => readCompactJwt(`${header}.${part({})}.`).header['kid'])
  expect(kids).toEqual([undefined, 'k2', undefined, 'k2'])
  expect(() => readCompactJwt(`${part({ alg: 'none' })}.${part({})}.`)).toThrow('Invalid or expired JWT token')
})
