import { expect, it } from 'vitest'
import { createChoice } from '../../../../../localstack/commands/listen/choice.ts'
import type { HeardNotice } from '../../../../../localstack/commands/listen/feed.ts'
import { createListener } from '../../../../../localstack/commands/listen/listener.ts'
import { stageOutage } from '../../../../../localstack/commands/listen/outage.ts'
import { jsonReport } from '../../../../../localstack/commands/listen/report.ts'
import { StageAway } from '../../../../../localstack/commands/listen/stage.ts'
import { StartError } from '../../../../../localstack/errors.ts'

const named = (id: number, eventType = 'a.b') => ({ id: `${id}`, source: 'demo', eventId: `evt-${id}`, eventType })

const cursorOf = (id: number) => `c${id}`

/** Listens to these events until the stream is refused, and what was told of it. */
async function listenedTo(heard: readonly HeardNotice[], gone: readonly string[] = []) {
  let failures = 1
  let text = ''
  const forwarded: bigint[] = []
  const listener = createListener('start', {
    async *notices() {
      yield* heard
      throw new StartError('The token is no longer good')
    },
    stage: {
      async event(key) {
        if (failures-- > 0) throw new StageAway('the service answers 503')
        if (gone.includes(key.eventId)) return undefined
        const found = heard.find(({ event }) => event?.eventId === key.eventId)?.event ?? named(0)
        return { ...found, receivedAt: '2026-01-02T03:04:05.000', headers: {}, history: [], payload: Buffer.from('x') }
      },
    },
    outage: stageOutage({ sleep: async () => {}, away: () => {}, back: () => {} }),
    choice: createChoice({ sources: [], types: ['a.*'], start: 0n }),
    async forward({ id }) {
      forwarded.push(id)
      return { isDelivered: id !== 2n, answer: id === 2n ? 'HTTP 500' : 'HTTP 200', tries: 1, milliseconds: 1 }
    },
    report: jsonReport((more) => {
      text += more
    }),
  })
  const { message } = await listener.run().then(
    () => new Error('it ended'),
    (error: Error) => error,
  )
  const lines = text.split('\n').filter((line) => line !== '')
  return { listener, forwarded, message, lines: lines.map((line) => JSON.parse(line)) }
}

it('a listener processes events in their order, including failed, skipped and deleted ones, and ends after the last', async () => {
  const events = [named(1), named(2), named(3, 'other'), named(4), named(5), named(1)]
  const heard = events.map((event, index) => ({ event, cursor: cursorOf(index) }))
  const { listener, forwarded, message, lines } = await listenedTo(heard, ['evt-4'])
  expect(forwarded).toEqual([1n, 2n, 5n])
  expect(lines.map(({ kind, eventId, cursor = '' }) => `${kind} ${eventId} ${cursor}`.trim())).toEqual([
    'forwarded evt-1 c0',
    'forwarded evt-2 c1',
    'skipped evt-3',
    'skipped evt-4',
    'forwarded evt-5 c4',
  ])
  expect(message).toBe('The token is no longer good')
  expect(listener.cursor).toBe('c5')
})
