import { describe, expect, it } from 'vitest'
import { handshakeOf } from '../../../lib/webhooks/handshake.ts'
import { providerOf } from '../../../lib/webhooks/providers/index.ts'
import { bodyOf } from '../../support/fakes/webhooks.ts'

const hmac = (text: string) => `hmac of ${text}`
const answer = (name: string, body: object | string) => handshakeOf(providerOf(name), bodyOf(body), hmac)
const zoom = (plainToken: unknown) => ({ event: 'endpoint.url_validation', payload: { plainToken } })
const slack = (challenge: unknown) => ({ type: 'url_verification', token: 't', challenge })
const twitch = (challenge: unknown, status = 'webhook_callback_verification_pending') => ({
  challenge,
  subscription: { id: 's', status, type: 'channel.follow' },
})

describe('a signed call that only verifies the address', () => {
  it.each<[string, object, object]>([
    ['slack', slack('c'), { body: { challenge: 'c' } }],
    ['slack', slack('a'.repeat(1024)), { body: { challenge: 'a'.repeat(1024) } }],
    ['zoom', zoom('p'), { body: { plainToken: 'p', encryptedToken: 'hmac of p' } }],
    ['discord', { id: '1', type: 1, application_id: '2' }, { body: { type: 1 } }],
    ['discord', { version: 1, type: 0, application_id: '2' }, {}],
    ['twitch', twitch('c'), { text: 'c' }],
  ])('is answered as %s requires', (name, body, handshake) => {
    expect(answer(name, body)).toEqual(handshake)
  })

  it.each<[string, object]>([
    ['slack', slack(undefined)],
    ['slack', slack('')],
    ['slack', slack('a'.repeat(1025))],
    ['zoom', zoom(undefined)],
    ['zoom', { event: 'endpoint.url_validation' }],
    ['twitch', twitch(undefined)],
    ['twitch', twitch('a'.repeat(1025))],
  ])('is stored like an event without a challenge of 1 to 1024 bytes: %s %j', (name, body) => {
    expect(answer(name, body)).toBeUndefined()
  })
})

describe('an event', () => {
  it.each<[string, object]>([
    ['slack', { type: 'event_callback', challenge: 'c' }],
    ['zoom', { event: 'meeting.started', payload: { plainToken: 'p' } }],
    ['discord', { type: 2, id: '1' }],
    ['discord', { type: 1, event: { type: 'APPLICATION_AUTHORIZED' } }],
    ['discord', { type: 0, event: {} }],
    ['twitch', twitch('c', 'enabled')],
    ['twitch', { challenge: 'c', subscription: 'webhook_callback_verification_pending' }],
    ['stripe', slack('c')],
    ['demo', zoom('p')],
  ])('is not such a call: %s %j', (name, body) => {
    expect(answer(name, body)).toBeUndefined()
  })

  it.each(['slack', 'zoom', 'discord', 'twitch', 'demo'])('of %s that is not JSON is not such a call', (name) => {
    expect(answer(name, '{')).toBeUndefined()
  })
})
