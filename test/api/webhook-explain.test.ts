import { describe, expect, it } from 'vitest'
import { demoUser, tokenOf } from '../support/accounts.ts'
import { CookieClient } from '../support/browser-client.ts'
import { type Answer, bearer, call } from '../support/client.ts'
import { genericSignature, payment, postJson, postPayment } from '../support/events.ts'
import { served } from '../support/served.ts'

async function explain(body: unknown, user = 'admin'): Promise<Answer> {
  return call('/api/webhooks/explain', postJson(body, bearer(await tokenOf(user)).headers))
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('POST /api/webhooks/explain', () => {
  it('explains how the service judges a call', async () => {
    const body = JSON.stringify(payment())
    const seconds = Math.floor(Date.now() / 1000)
    const old = genericSignature(body, seconds - 1000)
    expect((await postPayment(body, old)).status).toBe(400)
    const given = { source: 'payment', request: { headers: old, bodyBase64: base64(body) } }
    expect((await explain(given)).json).toEqual({
      reason: 'too-old',
      sentence: expect.stringMatching(/^It was signed 1\d{3} s ago; 300 s are allowed\.$/),
    })
    const at = new Date((seconds - 1000) * 1000).toISOString()
    expect((await explain({ ...given, at })).json.reason).toBe('accepted')
    expect(
      (await explain({ ...given, at, request: { ...given.request, bodyBase64: base64(`${body}\n`) } })).json,
    ).toEqual({ reason: 'body-last-line', sentence: expect.stringContaining('the last line') })
  })

  it('P15 treats an unknown name like a name without a secret', async () => {
    const { status, json } = await explain({ source: 'Acme-CRM', request: { headers: {}, bodyBase64: '' } })
    expect(status).toBe(200)
    expect(json).toEqual({ reason: 'no-secret', sentence: 'No secret is configured for acme-crm.' })
  })

  it('P15 reveals nothing that could sign a call', async () => {
    const request = { headers: { 'x-signature': '0'.repeat(64) }, bodyBase64: base64('s3cret') }
    const { text } = await explain({ source: 'payment', request })
    const { 'x-signature': signature = '' } = genericSignature('s3cret')
    for (const secret of [signature, 's3cret', ...Object.values(served('ready').webhookSecrets)])
      expect(text).not.toContain(secret)
  })

  it.each([
    ['no source', { request: { headers: {}, bodyBase64: '' } }, 'source'],
    ['a body that is not base64', { source: 'a', request: { headers: {}, bodyBase64: '%' } }, 'request.bodyBase64'],
    ['an invalid time', { source: 'a', request: { headers: {}, bodyBase64: '' }, at: 'now' }, 'at'],
    ['a list', [], 'body'],
  ])('P15 answers 400 to %s', async (_, body, field) => {
    const { status, json } = await explain(body)
    expect(status).toBe(400)
    expect(json.details.validationErrors[0].field).toBe(field)
  })

  it('P15 accepts 700 KiB of any body, and answers 413 beyond 1 MiB of a request', async () => {
    const request = (bytes: number) => ({ headers: {}, bodyBase64: base64(`[${'1,'.repeat(bytes / 2)}1]`) })
    expect((await explain({ source: 'payment', request: request(700 * 1024) })).status).toBe(200)
    expect((await explain({ source: 'payment', request: request(800 * 1024) })).status).toBe(413)
  })

  it('P15 is for admins: 401 without credentials, 403 for a user, 403 for a session without its CSRF token', async () => {
    const body = { source: 'payment', request: { headers: {}, bodyBase64: '' } }
    expect((await call('/api/webhooks/explain', postJson(body))).status).toBe(401)
    expect((await explain(body, 'user')).status).toBe(403)
    const client = new CookieClient()
    await client.login('admin', demoUser('admin').password)
    expect((await client.call('/api/webhooks/explain', postJson(body))).status).toBe(403)
  })
})
