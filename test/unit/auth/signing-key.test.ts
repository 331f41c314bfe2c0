import fc from 'fast-check'
import { compactVerify } from 'jose'
import { expect, it } from 'vitest'
import { isSignedWith, signingKey } from '../../../lib/auth/signing-key.ts'
import { FIRST_KEY, FOREIGN_KEY, HEADER, signToken } from '../../support/fakes/jwt.ts'

const KEY = signingKey(FIRST_KEY)

/** Tokens of several keys, and what becomes of them when a part is cut off, doubled or replaced. */
const tokens = fc
  .tuple(fc.json(), fc.constantFrom(FIRST_KEY, FOREIGN_KEY), fc.nat(), fc.constantFrom('', 'A', '_', '.', '==', 'é'))
  .chain(([payload, key, at, put]) => {
    const token = signToken(payload, HEADER, key)
    const place = at % token.length
    return fc.constantFrom(token, token.slice(0, place), token.slice(0, place) + put + token.slice(place + 1))
  })

it('J04 a token is signed with a key exactly when jose says so', async () => {
  await fc.assert(
    fc.asyncProperty(tokens, async (token) => {
      const byJose = await compactVerify(token, KEY.imported, { algorithms: ['HS512'] }).then(
        () => true,
        () => false,
      )
      // jose takes several spellings of one signature; who asks has seen to it that there is one.
      fc.pre(Buffer.from(token.split('.')[2] ?? '', 'base64url').toString('base64url') === (token.split('.')[2] ?? ''))
      expect(await isSignedWith(token, KEY)).toBe(byJose)
    }),
  )
})
