import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { keptAnswer } from '../../../lib/deliver/answer.ts'
import { type DeliveryMove, withMove } from '../../../lib/deliver/delivery.ts'
import { START } from '../../support/fakes/clock.ts'

const SECRET = 'whsec_a/b+c=secret'

describe('of an answer', () => {
  it.each<[string, number, Buffer, boolean, object]>([
    [
      'a page stays what it is',
      500,
      Buffer.from('<script>é'),
      true,
      { text: '<script>é', encoding: 'utf8', isWhole: true },
    ],
    ['bytes are base64', 500, Buffer.from([0xff, 0, 1]), true, { text: '/wAB', encoding: 'base64', isWhole: true }],
    ['a cut text ends with a character', 500, Buffer.from('aé').subarray(0, 2), false, { text: 'a', isWhole: false }],
    ['a failure keeps 1 KiB', 404, Buffer.alloc(2000, 'a'), true, { text: 'a'.repeat(1024), isWhole: false }],
    ['a success keeps 128 bytes', 299, Buffer.alloc(129, 'a'), true, { text: 'a'.repeat(128), isWhole: false }],
  ])('%s', (_, status, body, isWhole, expected) => {
    expect(keptAnswer({ status, body, isWhole }).body).toMatchObject(expected)
  })

  it.each([
    ['as it is', SECRET],
    ['as JSON of PHP has it', SECRET.replaceAll('/', '\\/')],
    ['in an address', encodeURIComponent(SECRET)],
    ['in base64', Buffer.from(SECRET).toString('base64')],
  ])('no secret is kept that it repeats %s', (_, written) => {
    const body = Buffer.from(`[é ${written}]`)
    const kept = keptAnswer({ status: 500, headers: { 'x-echo': [`a ${written}`, 'b'] }, body }, [SECRET])
    expect(kept.body?.text.replace(/=+\]$/, ']')).toBe('[é …]')
    expect(kept.headers?.['x-echo']?.replace(/=*, /, ', ')).toBe('a …, b')
  })

  it('no secret is kept that its end cuts, and nothing that is compressed', () => {
    const body = Buffer.from(`a ${SECRET.slice(0, 12)}`)
    expect(keptAnswer({ status: 500, body, isWhole: false }, [SECRET]).body?.text).toBe('a …')
    const headers = { 'content-encoding': 'gzip' }
    expect(keptAnswer({ status: 500, headers, body }, [SECRET]).body).toMatchObject({ text: '', isWhole: false })
  })

  it('20 headers are kept, of 1 KiB in all, and no value of one that names a secret', () => {
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`x-${index}`, 'v'.repeat(400)]))
    const { headers = {} } = keptAnswer({
      status: 500,
      headers: { 'set-cookie': ['a=1', 'b=2'], ...many },
      body: Buffer.of(),
    })
    expect(headers).toMatchObject({ 'set-cookie': '…', 'x-0': 'v'.repeat(256) })
    expect(JSON.stringify(headers).length).toBeLessThan(1100)
    const few = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`x-${index}`, 'v']))
    expect(Object.keys(keptAnswer({ status: 500, headers: few, body: Buffer.of() }).headers ?? {})).toHaveLength(20)
  })

  it('the content is kept of the last three failures and of one success', () => {
    const received = { status: 500, headers: {}, body: { text: 'a', encoding: 'utf8', isWhole: true } } as const
    const states = ['DELIVERED', 'PENDING', 'PENDING', 'DELIVERED', 'PENDING', 'PENDING', 'DEAD'] as const
    let history: readonly DeliveryMove[] = []
    for (const status of states) history = withMove(history, { at: START, status, received })
    expect(history.map(({ received }) => received?.body !== undefined)).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
      true,
    ])
    expect(history.map(({ received }) => received?.status)).toEqual(states.map(() => 500))
  })
})
