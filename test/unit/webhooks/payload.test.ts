import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { ServiceError } from '../../../lib/errors.ts'
import { basePayload, readPayload } from '../../../lib/webhooks/payload.ts'
import { bodyOf } from '../../support/fakes/webhooks.ts'

const schema = z.object(basePayload, 'must be a JSON object')

function rulesOf(body: string | object): readonly string[] {
  try {
    readPayload(schema, { body: bodyOf(body), headers: {} })
  } catch (error) {
    if (error instanceof ServiceError && error.is('VALIDATION_FAILED')) {
      return error.details.validationErrors.map(({ field, message }) => `${field} ${message}`)
    }
    throw error
  }
  return []
}

describe('the base payload', () => {
  it('may contain null for each optional field', () => {
    const nothing = { eventId: null, eventType: null, timestamp: null, source: null }
    expect(readPayload(schema, { body: bodyOf(nothing), headers: {} })).toEqual({})
  })

  it('ignores unknown properties, including __proto__', () => {
    const read = readPayload(schema, {
      body: bodyOf('{"eventId":"e","more":1,"__proto__":{"eventType":"x"}}'),
      headers: {},
    })
    expect(read).toEqual({ eventId: 'e' })
    expect(Object.hasOwn(read, '__proto__')).toBe(false)
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
  })

  it.each(['[]', 'null', '"text"', '1', 'true'])('is a JSON object, not %s', (body) => {
    expect(rulesOf(body)).toEqual(['body must be a JSON object'])
  })

  it('lists every violated rule and repeats no value', () => {
    const body = { eventId: 1, eventType: [], timestamp: 'soon', source: {} }
    expect(rulesOf(body).toSorted()).toEqual([
      'eventId must be a text',
      'eventType must be a text',
      'source must be a text',
      'timestamp must be a local date-time, YYYY-MM-DDTHH:mm:ss',
    ])
    expect(() => readPayload(schema, { body: bodyOf(body), headers: {} })).toThrow(
      expect.objectContaining({
        details: {
          validationErrors: expect.not.arrayContaining([expect.not.objectContaining({ rejectedValue: null })]),
        },
      }),
    )
  })
})

describe('an eventId', () => {
  it.each([
    ['one character', 'a'],
    ['256 characters', 'a'.repeat(256)],
    ['a prototype', '__proto__'],
  ])('may be %s', (_, eventId) => {
    expect(readPayload(schema, { body: bodyOf({ eventId }), headers: {} }).eventId).toBe(eventId)
  })

  it('is absent when it is an empty text', () => {
    expect(readPayload(schema, { body: bodyOf({ eventId: '' }), headers: {} }).eventId).toBeUndefined()
  })

  const RULE = 'eventId must be 1 to 256 characters without control characters'

  it.each([
    ['257 characters', JSON.stringify({ eventId: 'a'.repeat(257) }), RULE],
    ['a NUL', '{"eventId":"a\\u0000"}', RULE],
    ['a C1 control character', '{"eventId":"a\\u0085"}', RULE],
    ['a lone surrogate', '{"eventId":"a\\ud800"}', RULE],
    ['a number', '{"eventId":1}', 'eventId must be a text'],
  ])('is not %s', (_, body, rule) => {
    expect(rulesOf(body)).toEqual([rule])
  })
})

describe('a timestamp', () => {
  it.each(['2026-01-02T03:04', '2026-01-02T03:04:05.123456789Z'])('may be %s', (timestamp) => {
    expect(rulesOf({ timestamp })).toEqual([])
  })

  it.each(['2026-01-02T03:04:05+01:00', '2026-02-30T00:00:00', '', 'now'])('is not %j', (timestamp) => {
    expect(rulesOf({ timestamp })).toEqual(['timestamp must be a local date-time, YYYY-MM-DDTHH:mm:ss'])
  })
})
