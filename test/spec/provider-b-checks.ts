import type { Checks } from './checks.ts'
import { eventB, expectTextB, hmac, postB, secretOf, signatureB } from './webhook-signatures.ts'

export const providerBChecks = {
  '5/webhook-4': async () => {
    const payload = eventB()
    const right = signatureB(payload)
    const secret = secretOf('github')
    const hex = right.slice('sha256='.length)
    const base64 = hmac(payload, secret).digest('base64')
    const sha1 = hmac(payload, secret, 'sha1').digest('hex')
    const prefixes = [hex, `sha1=${hex}`, `SHA256=${hex}`, `sha256:${hex}`, ` sha256 =${hex}`]
    const values = [hex.toUpperCase(), hex.slice(1), `${hex}0`, '0'.repeat(64), base64, sha1, ''].map(
      (value) => `sha256=${value}`,
    )
    const texts = [`${payload} `, JSON.stringify(JSON.parse(payload))].map((text) => signatureB(text))
    for (const header of [...prefixes, ...values, ...texts, signatureB(payload, secretOf('stripe')), undefined]) {
      expectTextB(await postB(payload, header), 'refused', header)
    }
    expectTextB(await postB(payload, right), 'accepted')
  },
} satisfies Checks<'5'>
