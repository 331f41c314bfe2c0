import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PROVIDERS } from '../../../../lib/webhooks/providers/index.ts'
import type { Headers } from '../../../../lib/webhooks/schemes/scheme.ts'
import { verify } from '../../../../lib/webhooks/verify.ts'
import { LIBRARY_SIGNERS, type LibrarySigner } from '../../../support/library-signers.ts'
import { signedCall } from '../../../support/signed-call.ts'

const AT = 1_760_000_000

const secrets = fc
  .uint8Array({ minLength: 24, maxLength: 64 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`)

function reasonFor({ scheme }: LibrarySigner, headers: Headers, body: string | Buffer, secret: string): string {
  const options = { scheme: PROVIDERS[scheme].scheme, secrets: [{ value: secret }], now: new Date(AT * 1000) }
  const verdict = verify(signedCall(headers, body), options)
  return verdict.ok ? 'ok' : verdict.reason
}

describe.each(LIBRARY_SIGNERS)('a call that $library signs', (signer) => {
  it('is accepted', async () => {
    await fc.assert(
      fc.asyncProperty(secrets, fc.json(), async (secret, body) => {
        expect(reasonFor(signer, await signer.sign(secret, body, AT), body, secret)).toBe('ok')
      }),
    )
  })

  it('W16 is refused with another secret, without a header, and with another scheme', async () => {
    const secret = `whsec_${randomBytes(24).toString('base64')}`
    const headers = await signer.sign(secret, '{}', AT)
    expect(reasonFor(signer, headers, '{}', `whsec_${randomBytes(24).toString('base64')}`)).toBe('wrong-signature')
    for (const name of Object.keys(headers)) {
      expect(reasonFor(signer, { ...headers, [name]: undefined }, '{}', secret)).toBe('no-readable-signature')
    }
    for (const other of LIBRARY_SIGNERS.filter(({ scheme }) => scheme !== signer.scheme)) {
      expect(reasonFor(other, headers, '{}', secret)).toBe('no-readable-signature')
    }
  })
})
