import { describe, expect, it } from 'vitest'
import { demoUser, tokenOf } from '../support/accounts.ts'
import { CookieClient } from '../support/browser-client.ts'
import { type Answer, bearer, call } from '../support/client.ts'
import { deadEvent, eventDetail, payment, postJson, postPayment, untilDead } from '../support/events.ts'

const pathOf = (eventId: string) => `/api/webhooks/events/payment/${encodeURIComponent(eventId)}/retry`

async function retry(path: string, body?: unknown, user = 'admin'): Promise<Answer> {
  const credentials = bearer(await tokenOf(user))
  const request = body === undefined ? { method: 'POST' } : postJson(body)
  return call(path, { ...request, headers: { ...request.headers, ...credentials.headers } })
}

describe('POST /api/webhooks/events/{source}/{eventId}/retry', () => {
  it('P11 retries a dead event: 202 with the record, attempts reset, the user and the reason, if there is one, in the history', async () => {
    const eventId = await deadEvent()
    const { status, json } = await retry(pathOf(eventId), { reason: 'the order was corrected' })
    expect(status).toBe(202)
    expect(json).toMatchObject({ eventId, status: 'FAILED', attempts: 0, dead: false })
    await untilDead(eventId)
    const { history } = (await eventDetail('payment', eventId)).json
    const moves = history.map(({ status, by }: { status: string; by: string }) => `${status} ${by}`)
    expect(moves.indexOf('FAILED operator admin: the order was corrected')).toBe(7)
    expect(moves[8]).toBe('RETRY retry')
    expect(moves.filter((move: string) => move === 'RETRY retry')).toHaveLength(6)
    expect((await retry(pathOf(eventId))).status).toBe(202)
    const again = (await eventDetail('payment', eventId)).json.history.slice(history.length)
    expect(again[0]).toMatchObject({ status: 'FAILED', by: 'operator admin', error: null })
  })

  it('P05 answers 409 to an event that is not FAILED', async () => {
    const body = payment()
    await postPayment(body)
    const { status, json } = await retry(pathOf(String(body['eventId'])), {})
    expect(status).toBe(409)
    expect(json).toMatchObject({ error: 'Conflict', message: 'Webhook event is not FAILED' })
  })

  it('P09 answers 404 to an event that nobody sent', async () => {
    const { status, json } = await retry(pathOf('nothing'), {})
    expect(status).toBe(404)
    expect(json.message).toBe('Webhook event not found')
  })

  it.each([
    ['an author', { user: 'somebody-else' }, 'user'],
    ['a reason of 257 characters', { reason: 'x'.repeat(257) }, 'reason'],
    ['broken JSON', '{', 'body'],
  ])('P10 answers 400 to %s', async (_, body, field) => {
    const { status, json } = await retry(pathOf('nothing'), body)
    expect(status).toBe(400)
    expect(json.details.validationErrors[0].field).toBe(field)
  })

  it('P01 is for admins: 401 without credentials, 403 for a user', async () => {
    expect((await call(pathOf('nothing'), postJson({}))).status).toBe(401)
    const { status, json } = await retry(pathOf('nothing'), {}, 'user')
    expect(status).toBe(403)
    expect(json.message).toBe("You don't have permission to access this resource")
  })

  it('P06 with a session needs the session’s CSRF token', async () => {
    const client = new CookieClient()
    await client.login('admin', demoUser('admin').password)
    expect((await client.call(pathOf('nothing'), postJson({}))).status).toBe(403)
  })
})
