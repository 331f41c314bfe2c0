import { describe, expect, it } from 'vitest'
import { readHint } from '../../../../lib/webhooks/retry/worker.ts'

describe('a message on the retry queue', () => {
  it('is a hint', () => {
    const hint = { source: 'payment', eventId: 'event-1', n: 0 }
    expect(readHint(JSON.stringify(hint))).toEqual(hint)
    expect(readHint(JSON.stringify({ ...hint, more: 1 }))).toEqual(hint)
    expect(readHint(JSON.stringify({ ...hint, hops: 3 }))).toEqual({ ...hint, hops: 3 })
  })

  it.each([
    '',
    '{"source":"payment","eventId":"event-1"}',
    '{"source":"payment","eventId":"event-1","n":-1}',
    '{"source":"payment","eventId":"event-1","n":0.5}',
    '{"source":"payment","eventId":1,"n":0}',
    '{"source":"payment","eventId":"event-1","n":0,"hops":-1}',
  ])('Q11 is invalid: %j', (message) => {
    expect(() => readHint(message)).toThrow('a message on the retry queue is no hint')
  })
})
