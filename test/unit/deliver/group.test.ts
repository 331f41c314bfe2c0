import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { asQueueId, groupOf } from '../../../lib/adapters/sqs/carrier.ts'

const group = (body: string | Buffer, path: string | undefined = 'data.object.customer') =>
  groupOf({ source: 'stripe', payload: Buffer.from(body) }, path).group

describe('the message group of an event', () => {
  it.each([
    ['{"data":{"object":{"customer":"cus_1"}}}', 'cus_1'],
    ['{"data":{"object":{"customer":12345678901234567890}}}', '12345678901234567890'],
  ])('is the value in its body: %s', (body, expected) => {
    expect(group(body)).toBe(expected)
  })

  it('may be an element of a list', () => {
    expect(group('{"ids":["a","b"]}', 'ids.1')).toBe('b')
  })

  it.each([
    ['{"data":{"object":{"customer":null}}}', 'data.object.customer'],
    ['{"data":{"object":{"customer":""}}}', 'data.object.customer'],
    ['{"data":{"object":{"customer":{"id":"cus_1"}}}}', 'data.object.customer'],
    ['{}', '__proto__.constructor.name'],
    ['a=b', 'a'],
    [`${'['.repeat(200)}${']'.repeat(200)}`, '0'],
  ])('is its source, if its body has none: %s', (body, path) => {
    expect(group(body, path)).toBe('stripe')
  })

  it('is its source, if the body is not UTF-8 or no path is configured', () => {
    expect(group(Buffer.from('ff', 'hex'))).toBe('stripe')
    const withoutPath = groupOf({ source: 'stripe', payload: Buffer.from('{}') }, undefined)
    expect(withoutPath).toEqual({ group: 'stripe', isUngrouped: false })
  })

  it.each(['cus 1', 'é', 'a\n', 'a'.repeat(129)])('is a hash if SQS does not accept the value: %j', (customer) => {
    const hash = createHash('sha256').update(customer).digest('hex')
    expect(group(JSON.stringify({ data: { object: { customer } } }))).toBe(hash)
  })

  it('has the alphabet and the length that SQS allows', () => {
    const punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
    expect(asQueueId(punctuation)).toBe(punctuation)
    expect(asQueueId('a'.repeat(128))).toBe('a'.repeat(128))
    expect(asQueueId('')).toHaveLength(64)
  })
})
