import { describe, expect, it } from 'vitest'
import { signedCall } from '../../../support/signed-call.ts'
import { receiverFor } from '../../../support/webhook-receiver.ts'

const STATE = 'the state of a client'
const one = (changes: object = {}) => ({ subscriptionId: 's', changeType: 'updated', clientState: STATE, ...changes })

function callOf(body: unknown, query = '') {
  const url = `https://hooks.example.com/webhooks/microsoft-graph${query}`
  return signedCall({ 'content-type': 'application/json' }, body === '' ? '' : JSON.stringify(body), { url })
}

const setUp = () => receiverFor('microsoft-graph', { secrets: ['another', STATE] })

describe('notifications of Microsoft Graph', () => {
  it('are accepted if every one has the state', async () => {
    const receiver = setUp()
    const value = [
      one({ id: 'n-1' }),
      one({ changeType: 'deleted' }),
      one({ lifecycleEvent: 'missed', changeType: undefined }),
    ]
    expect(await receiver.receive(callOf({ value, validationTokens: ['a.b.c'] }))).toBe('stored')
    expect([...receiver.store.items.values()].flat()).toMatchObject([
      { eventId: 'n-1', eventType: 'updated' },
      { eventType: 'deleted' },
      { eventType: 'missed' },
    ])
    expect(receiver.events()).toMatchObject([{ proof: { level: 'token', key: 'microsoft-graph#2' } }])
  })

  it.each([
    [STATE, 'another'],
    ['another', STATE],
  ])('are accepted if each has the state of one of our subscriptions: %s, then %s', async (...states) => {
    const value = states.map((clientState) => one({ clientState }))
    expect(await setUp().answer(callOf({ value }))).toBe(200)
  })

  it.each([
    ['one with another', [one({ clientState: 'x' }), one()]],
    ['the last one with another', [one(), one(), one({ clientState: 'x' })]],
    ['one with another, after one of each secret', ['another', STATE, 'x'].map((clientState) => one({ clientState }))],
    ['one without a state', [one(), one({ clientState: undefined })]],
    ['one that is malformed', [one(), null]],
    ['none at all', []],
  ])('are refused with %s', async (_, value) => {
    expect(await setUp().answer(callOf({ value }))).toBe('SIGNATURE_INVALID')
  })

  it('may contain at most 256 KiB, because they are scanned before the state is known', async () => {
    expect(await setUp().answer(callOf({ value: [one({ a: 'a'.repeat(262_144) })] }))).toBe('PAYLOAD_TOO_LARGE')
  })
})

describe('the token with which Microsoft Graph validates an address', () => {
  it('is not an event', async () => {
    const receiver = setUp()
    expect(await receiver.answer(callOf('', '?validationToken=Validation%3A+Testing'))).toBe(200)
    expect(receiver.events()).toEqual([])
  })

  it('is returned only with a secret', async () => {
    const receiver = receiverFor('microsoft-graph', { secrets: [] })
    expect(await receiver.answer(callOf('', '?validationToken=a'))).toBe('SIGNATURE_INVALID')
  })

  it('changes nothing of a call with a body', async () => {
    const receiver = setUp()
    expect(await receiver.answer(callOf({ value: [{}] }, '?validationToken=a'))).toBe('SIGNATURE_INVALID')
    expect(await receiver.receive(callOf({ value: [one()] }, '?validationToken=a'))).toBe('stored')
  })

  it.each([
    ['', 'VALIDATION_FAILED'],
    ['a'.repeat(1024), 200],
    ['a'.repeat(1025), 'VALIDATION_FAILED'],
    ['%C3%A9'.repeat(512), 200],
    ['%C3%A9'.repeat(513), 'VALIDATION_FAILED'],
  ])('has 1 to 1024 bytes: %s', async (token, answer) => {
    expect(await setUp().answer(callOf('', `?validationToken=${token}`))).toBe(answer)
  })

  it('is returned by no other provider', async () => {
    const receiver = receiverFor('dropbox')
    const call = signedCall({}, '', { url: 'https://hooks.example.com/webhooks/dropbox?validationToken=a' })
    expect(await receiver.answer(call)).toBe('SIGNATURE_INVALID')
  })
})
