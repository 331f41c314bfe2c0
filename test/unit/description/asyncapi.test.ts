import specifications from '@asyncapi/specs'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { asyncApiDocument, END_CODES } from '../../../infra/description/asyncapi.ts'
import { samplesOf } from '../../../infra/description/error-samples.ts'
import { errorShape } from '../../../lib/contract/error-shape.ts'
import type { ErrorCode } from '../../../lib/errors.ts'
import type { BusMessage } from '../../../lib/messages/message.ts'
import { webhookMessage } from '../../../lib/stomp/changes.ts'
import { createNotices } from '../../../lib/stomp/connect.ts'
import { DESTINATIONS } from '../../../lib/stomp/destinations.ts'
import { CLOSE_CODES, refusalOf } from '../../../lib/stomp/refusal.ts'
import type { ShownProof } from '../../../lib/webhooks/detail.ts'
import { replayEnd, retryEnd } from '../../../lib/webhooks/live/announcement.ts'
import type { Replay } from '../../../lib/webhooks/operators/replay.ts'
import { START } from '../../support/fakes/clock.ts'
import { virtualTime } from '../../support/fakes/timers.ts'
import { failedEvent } from '../../support/fakes/webhooks.ts'

const REPLAY: Replay = {
  replayId: 'r-1',
  filter: {},
  ratePerSecond: 10,
  user: 'admin',
  orderedBy: 'id-1',
  acceptedAt: START,
  step: 0,
  state: 'DONE',
  matched: 3,
  done: 2,
  failed: 1,
  isListed: true,
}

const document = asyncApiDocument()
const ajv = new Ajv({ strict: false, allErrors: true, code: { optimize: false } })
addFormats.default(ajv)
ajv.addSchema({ ...document, $id: 'messages' })

/** What is wrong with a part of a message. */
function faultsOf(message: string, part: 'headers' | 'payload', value: unknown): string | undefined {
  const validate = ajv.compile({ $ref: `messages#/components/messages/${message}/${part}` })
  return validate(value) ? undefined : ajv.errorsText(validate.errors)
}

describe('the description of the STOMP channel', () => {
  it('is AsyncAPI 3.1', () => {
    const schema = JSON.parse(JSON.stringify(specifications.schemasWithoutId['3.1.0']))
    const validate = new Ajv({ strict: false, validateFormats: false, code: { optimize: false } }).compile(schema)
    expect(validate(document), ajv.errorsText(validate.errors)).toBe(true)
  })

  it.each(Object.entries(DESTINATIONS))('%s is at the described address', (_, { address, pattern }) => {
    expect(address.replace('{name}', 'a-name/of.it')).toMatch(pattern)
  })

  const change = {
    changeId: '2',
    id: '1',
    source: 'payment',
    eventId: 'evt-1',
    eventType: 'PAYMENT',
    status: 'PROCESSED',
    receivedAt: '2026-11-21T07:00:00.000',
  }
  const signedAt = '2026-11-21T06:59:58.000Z'

  it.each<[string, ShownProof | undefined]>([
    ['with its proof', { level: 'full', typeSigned: true, idSigned: true, key: 'payment#1', signedAt }],
    ['that was late', { level: 'full', typeSigned: true, idSigned: true, key: 'payment#1', signedAt, stale: true }],
    ['that is unsigned', { level: 'none', typeSigned: false, idSigned: false, key: null, signedAt: null }],
    ['of an older version, without a proof', undefined],
  ])('a change of a webhook event %s matches its description, without additional fields', (_, proof) => {
    const { body } = webhookMessage({ change: { ...change, proof }, cursor: 'cursor' })
    const message = JSON.parse(body.toString())
    expect(message.proof).toEqual(proof)
    expect(faultsOf('webhookChange', 'payload', message)).toBeUndefined()
    expect(faultsOf('webhookChange', 'payload', { ...message, extra: 1 })).toContain('additional properties')
    expect(faultsOf('webhookChange', 'payload', { ...message, eventId: undefined })).toContain('eventId')
    expect(
      faultsOf('webhookChange', 'payload', { ...message, proof: { level: 'full', typeSigned: true, idSigned: true } }),
    ).toContain('key')
  })

  it('a notice before the end of a token matches its description', () => {
    const time = virtualTime()
    const notices = createNotices(time.clock, time.timers)
    const told: BusMessage[] = []
    notices.subscribe((message) => told.push(message))
    notices.expectEnd(time.clock.now())
    time.pass(0)
    expect(told.length).toBeGreaterThan(0)
    for (const { body } of told) {
      expect(faultsOf('notice', 'payload', JSON.parse(body.toString()))).toBeUndefined()
    }
  })

  it.each(END_CODES)('the last event of a stream that ends with %s matches its description', (code) => {
    for (const { error } of samplesOf(code, 'api')) {
      const shape = errorShape(error, { path: '/api/webhooks/stream', now: new Date('2026-11-21T07:00:00Z') })
      expect(faultsOf('streamEnd', 'payload', JSON.parse(JSON.stringify(shape)))).toBeUndefined()
    }
  })

  it.each([
    retryEnd(failedEvent({ status: 'PROCESSED', orderedBy: 'id-1' }), START),
    retryEnd(failedEvent({ dead: true, orderedBy: 'id-1' }), START),
    replayEnd(REPLAY, START),
  ])('a notice of a finished order matches its description, without additional fields: $notice', (end) => {
    expect(faultsOf('notice', 'payload', end?.notice)).toBeUndefined()
    expect(faultsOf('notice', 'payload', { ...end?.notice, orderedBy: 'id-1' })).toContain('additional properties')
    expect(faultsOf('notice', 'payload', { ...end?.notice, at: undefined })).toContain('at')
  })

  const ending = [...(Object.keys(CLOSE_CODES) as ErrorCode[]), 'UNEXPECTED'] as const

  it.each(ending)('an ERROR frame of %s matches its description', (code) => {
    for (const { error } of samplesOf(code, 'api')) {
      const { frame } = refusalOf(error, { now: new Date('2026-11-21T07:00:00Z'), receipt: 'r-1' })
      expect(faultsOf('refusal', 'headers', Object.fromEntries(frame.headers))).toBeUndefined()
      expect(faultsOf('refusal', 'payload', JSON.parse(frame.body.toString()))).toBeUndefined()
    }
  })
})
