import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { compactVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { type SigningKey, signingKey } from '../../../lib/auth/jwt.ts'
import { FIRST_KEY, FOREIGN_KEY, HEADER, signToken } from '../../support/fakes/jwt.ts'

const FORGED = signToken({ sub: 'mallory' }, HEADER, FOREIGN_KEY)

/** Tokens of several keys, and what becomes of them when a part is cut off, doubled or replaced. */
const tokens = fc
  .tuple(fc.json(), fc.constantFrom(FIRST_KEY, FOREIGN_KEY), fc.nat(), fc.constantFrom('', 'A', '_', '.', '==', 'é'))
  .chain(([payload, key, at, put]) => {
    const token = signToken(payload, HEADER, key)
    const place = at % token.length
    return fc.constantFrom(token, token.slice(0, place), token.slice(0, place) + put + token.slice(place + 1))
  })
  // jose takes several spellings of one signature; who asks has seen to it that there is one.
  .filter((token) => {
    const signature = token.split('.')[2] ?? ''
    return Buffer.from(signature, 'base64url').toString('base64url') === signature
  })

async function joseAccepts(token: string, { imported }: SigningKey): Promise<boolean> {
  const verified = compactVerify(token, await imported, { algorithms: ['HS512'] })
  return verified.then(
    () => true,
    () => false,
  )
}

describe('J04 a token is signed with a key exactly when jose confirms it', () => {
  it('before any forgery', async () => {
    await fc.assert(
      fc.asyncProperty(tokens, async (token) => {
        const fresh = signingKey(FIRST_KEY)
        expect(await fresh.hasSigned(token)).toBe(await joseAccepts(token, fresh))
      }),
    )
  })

  it('after a forgery', async () => {
    const key = signingKey(FIRST_KEY)
    expect(await key.hasSigned(FORGED)).toBe(false)
    await fc.assert(
      fc.asyncProperty(tokens, async (token) => {
        expect(await key.hasSigned(token)).toBe(await joseAccepts(token, key))
      }),
    )
  })
})
