import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { call } from '../support/client.ts'
import { served } from '../support/served.ts'

/** A client of another make, which knows of the contract what it is told. */
async function bufCurl(...args: readonly string[]): Promise<string> {
  const options = ['curl', '--protocol', 'grpc', '--http2-prior-knowledge', '--reflect-header', '*']
  const { stdout } = await promisify(execFile)('quality/node_modules/.bin/buf', [...options, ...args])
  return stdout
}

const address = (path = '') => `http://${served('ready').grpc}${path}`

describe('buf curl with reflection only', () => {
  it('lists the methods', async () => {
    const token = await tokenOf('user')
    const methods = await bufCurl('-H', `authorization: Bearer ${token}`, '--list-methods', address())
    expect(methods.trim().split('\n')).toEqual(
      expect.arrayContaining(['gatehouse.v1.AuthService/WhoAmI', 'grpc.health.v1.Health/Check']),
    )
  })

  it('shows an admin an event that was received over HTTP, by source and id', async () => {
    const token = await tokenOf('admin')
    const body =
      '{"eventId":"grpc-1","transactionId":"grpc-1","orderId":"o","status":"COMPLETED","amount":10.00,"currency":"EUR"}'
    await call('/webhooks/payment', { method: 'POST', body })
    const { json } = await call('/api/webhooks/events/payment/grpc-1', {
      headers: { authorization: `Bearer ${token}` },
    })
    const answer = await bufCurl(
      '-H',
      `authorization: Bearer ${token}`,
      '-d',
      '{"source":"payment","eventId":"grpc-1","includePayload":true}',
      address('/gatehouse.v1.WebhookEventService/GetWebhookEvent'),
    )
    const {
      event: { receivedAt, ...event },
      payload,
    } = JSON.parse(answer)
    expect(event).toMatchObject({
      id: json.id,
      source: 'payment',
      eventId: 'grpc-1',
      eventType: 'PAYMENT',
      status: 'WEBHOOK_EVENT_STATUS_PROCESSED',
    })
    // ProtoJSON leaves out a fraction of zero.
    expect(Date.parse(receivedAt)).toBe(Date.parse(`${json.receivedAt}Z`))
    expect(Buffer.from(payload, 'base64').toString()).toBe(body)
  })
})
