import { describe, expect, it } from 'vitest'
import { handshakeOf } from '../../../../lib/webhooks/handshake.ts'
import { provider } from '../../../../lib/webhooks/providers/event-grid.ts'
import { bodyOf } from '../../../support/fakes/webhooks.ts'
import { signedCall } from '../../../support/signed-call.ts'
import { receiverFor } from '../../../support/webhook-receiver.ts'

const SECRET = 'the secret of a subscription'
const EVENT = { id: 'e-1', topic: '/t', eventType: 'blob', subject: 's', data: {} }
const CLOUD_EVENT = { specversion: '1.0', id: 'e-1', source: '/t', type: 'blob', data: {} }

function callOf(
  body: unknown,
  headers: Readonly<Record<string, string>> = { 'x-event-grid-secret': SECRET },
  query = '',
) {
  const url = `https://hooks.example.com/webhooks/event-grid${query}`
  return signedCall(headers, JSON.stringify(body), { url })
}

const setUp = () => receiverFor('event-grid', { secrets: [SECRET] })

describe('events of Event Grid', () => {
  it.each([
    ['of its own schema', [EVENT, { ...EVENT, id: 'e-2' }], ['/t|e-1', '/t|e-2']],
    ['of CloudEvents', [CLOUD_EVENT, { ...CLOUD_EVENT, source: '/u' }], ['/t|e-1', '/u|e-1']],
    ['of CloudEvents, a single one', CLOUD_EVENT, ['/t|e-1']],
    ['without a source', [{ id: 'e-1', eventType: 'blob' }], ['undefined|e-1']],
    ['of a source with a long name', [{ ...EVENT, topic: 't'.repeat(256) }], ['e-1']],
    ['without an id', [{ topic: '/t', eventType: 'blob' }], [undefined]],
  ])('%s are identified by source and id', async (_, body, ids) => {
    const receiver = setUp()
    expect(await receiver.receive(callOf(body))).toBe('stored')
    const items = [...receiver.store.items.values()].flat()
    expect(items.map(({ eventId }) => eventId)).toEqual(ids)
    expect(receiver.events()).toMatchObject([{ eventType: 'blob', proof: { level: 'token' } }])
  })

  it('leave their secret in no log line, and in no record', async () => {
    const receiver = setUp()
    await receiver.answer(callOf([EVENT], {}, `?code=${encodeURIComponent(SECRET)}`))
    await receiver.answer(callOf([EVENT], {}, `?code=${encodeURIComponent(SECRET)}x`))
    const kept = JSON.stringify([receiver.log.entries, receiver.events().map(({ headers }) => headers)])
    expect(kept).not.toContain(SECRET)
    expect(kept).not.toContain(encodeURIComponent(SECRET))
  })
})

describe('the validation of a subscription', () => {
  const validation = (data: object) => [
    { ...EVENT, eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent', data },
  ]
  const answerTo = (body: object) => handshakeOf(provider, bodyOf(body), () => '')

  it('is answered with its code, and is not stored', async () => {
    expect(answerTo(validation({ validationCode: '512d38b6' }))).toEqual({ body: { validationResponse: '512d38b6' } })
    const receiver = setUp()
    expect(await receiver.answer(callOf(validation({ validationCode: '512d38b6' })))).toBe(200)
    expect(receiver.events()).toEqual([])
  })

  it('is not answered without the secret', async () => {
    expect(await setUp().answer(callOf(validation({ validationCode: 'c' }), {}))).toBe('SIGNATURE_INVALID')
  })

  it.each([{}, { validationCode: '' }, { validationCode: 7 }, { validationCode: 'a'.repeat(1025) }])(
    'is stored like an event with %j',
    (data) => {
      expect(answerTo(validation(data))).toBeUndefined()
    },
  )
})
