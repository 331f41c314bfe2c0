import { expect, it } from 'vitest'
import { webhookReceived, webhookResponse } from '../../../lib/http/acknowledgement.ts'
import { START } from '../../support/fakes/clock.ts'

it.each([
  ['processed', 'Webhook processed successfully'],
  ['received', 'Webhook received'],
  ['duplicate', 'Duplicate event ignored'],
] as const)('an event that is %s is acknowledged with the webhook response: %s', (acceptance, message) => {
  const { statusCode, headers, body = '' } = webhookResponse(acceptance, START)
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/json'])
  expect(JSON.parse(body)).toEqual({ success: true, message, timestamp: '2026-01-02T03:04:05.000' })
})

it('a provider is acknowledged in plain text', () => {
  expect(webhookReceived()).toEqual({
    statusCode: 200,
    headers: { 'content-type': expect.stringMatching(/^text\/plain/) },
    body: 'Webhook received',
  })
})

it.each([
  ['no text', '', /^text\/plain/, ''],
  ['JSON', {}, /^application\/json$/, '{}'],
])('a provider can be acknowledged with %s instead', (_, wanted, type, body) => {
  const { statusCode, headers, body: text } = webhookReceived(wanted)
  expect([statusCode, text]).toEqual([200, body])
  expect(headers['content-type']).toMatch(type)
})
