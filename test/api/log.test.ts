import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { demoUser, tokenOf } from '../support/accounts.ts'
import { bearer, call, form } from '../support/client.ts'
import { genericSignature, payment, postJson, postPayment } from '../support/events.ts'

const CANARY = `canary-${crypto.randomUUID()}`

function logLines(): readonly string[] {
  return readFileSync(join(inject('ready').data, 'gatehouse.log'), 'utf8').split('\n')
}

describe('the log', () => {
  it('holds one audit line for each decision on a webhook, and no secret, token, password or payload', async () => {
    const token = await tokenOf('admin')
    const stored = payment({ customerId: CANARY, note: CANARY })
    const signature = genericSignature(JSON.stringify(stored))
    await call('/api/auth/login', form({ username: 'admin', password: CANARY }))
    await call('/api/admin/secure', bearer(`${token}${CANARY}`))
    await call('/api/admin/secure', bearer(token))
    await postPayment(stored, { ...signature, cookie: CANARY, authorization: `Bearer ${CANARY}` })
    await postPayment(stored, signature)
    await postPayment({ ...stored, eventId: `${stored['eventId']}-2`, orderId: CANARY })
    await postPayment(stored, { 'x-signature': CANARY })
    await postPayment(`{"note":"${CANARY}"`)
    await call('/webhooks/stripe', postJson({ note: CANARY }, { 'stripe-signature': `t=1,v1=${CANARY}` }))

    const lines = logLines()
    const decisions = lines
      .filter((line) => line.includes('"audit"') && line.includes(String(stored['eventId'])))
      .map((line) => JSON.parse(line).decision)
    expect(decisions.slice(0, 3)).toEqual(['processed', 'duplicate', 'failed'])
    expect(lines.filter((line) => line.includes('"decision":"refused"')).length).toBeGreaterThanOrEqual(2)

    const secrets = [CANARY, token, demoUser('admin').password, ...Object.values(inject('ready').webhookSecrets)]
    for (const secret of [...secrets, inject('jwtSecret'), ...Object.values(signature)]) {
      expect(lines.filter((line) => line.includes(secret))).toEqual([])
    }
  })
})

describe('the gateway', () => {
  it('does not offer to invoke functions by name', async () => {
    const path = '/2015-03-31/functions/gatehouse-local-publicHello/invocations'
    expect((await call(path, postJson({}))).status).toBe(404)
  })
})
