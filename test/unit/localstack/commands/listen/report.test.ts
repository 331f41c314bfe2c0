import { describe, expect, it } from 'vitest'
import { jsonReport, type ListenReport, textReport } from '../../../../../localstack/commands/listen/report.ts'

const event = {
  id: '7',
  source: 'stripe',
  eventId: 'evt_1',
  eventType: 'payment_intent.succeeded',
  receivedAt: '2026-01-02T03:04:05.000',
  headers: {},
  payload: Buffer.from('secret'),
  history: [],
}
const done = { isDelivered: true, answer: 'HTTP 200', tries: 1, milliseconds: 12 }
const once = { isAgain: false, replayId: undefined }
const cursor = 'AAAAAAAAAAE'

function linesOf(make: typeof textReport, tell: (report: ListenReport) => void): string {
  let text = ''
  tell(
    make((more) => {
      text += more
    }),
  )
  return text
}

describe('the readable lines', () => {
  it.each([
    ['what arrived', done, once, ' -> 200 (12 ms)'],
    ['a late event', { ...done, tries: 3 }, once, ' -> 200 (try 3, 12 ms)'],
    ['an event that an operator ordered', done, { ...once, isAgain: true }, ' (again) -> 200 (12 ms)'],
    ['an event that a replay ordered', done, { isAgain: true, replayId: 'r-1' }, ' (replay r-1) -> 200 (12 ms)'],
    [
      'an event that was given up',
      { ...done, isDelivered: false, answer: 'connection refused', tries: 4 },
      once,
      ' -> connection refused (given up after 4 tries, 12 ms)',
    ],
  ])('report %s', (_, result, again, end) => {
    const text = linesOf(textReport, (report) => report.forwarded(event, result, again, cursor))
    expect(text).toBe(`2026-01-02T03:04:05.000Z  stripe  payment_intent.succeeded  evt_1${end}  AAAAAAAAAAE\n`)
  })

  it('count skipped events when there are many', () => {
    const text = linesOf(textReport, (report) => {
      for (let count = 0; count < 100; count++) report.skipped(event, 'type does not match')
      report.forwarded(event, done, once, cursor)
      report.skipped(event, 'type does not match')
      report.stopped(cursor)
    })
    const lines = text.split('\n')
    expect(lines.filter((line) => line.endsWith('evt_1  skipped: type does not match'))).toHaveLength(4)
    expect(lines).toContain('skipped 97 more: type does not match')
    expect(lines.at(-2)).toBe(`Continue with --since ${cursor}`)
  })

  it('count each reason separately', () => {
    const text = linesOf(textReport, (report) => {
      for (let count = 0; count < 5; count++) report.skipped(event, 'type does not match')
      report.skipped(event, 'received earlier')
      report.back()
    })
    expect(text).toContain('skipped 2 more: type does not match\n')
    expect(text).toMatch(/skipped: received earlier\nThe service is back\n$/)
  })

  it('count skipped events after a while without a new one', () => {
    const text = linesOf(textReport, (report) => {
      for (let count = 0; count < 7; count++) report.skipped(event, 'type does not match')
      report.quiet()
      report.quiet()
    })
    expect(text.match(/skipped 4 more: type does not match\n/g)).toHaveLength(1)
  })

  it('do not move the cursor of a terminal', () => {
    const sly = { ...event, eventType: '\u001b[2Ja\nb\u202e' }
    const text = linesOf(textReport, (report) => report.forwarded(sly, done, once, cursor))
    expect(text).toContain('%1B[2Ja%0Ab%E2%80%AE')
  })
})

it('the lines in JSON are an object each, with the exact cursor and nothing of the payload', () => {
  const text = linesOf(jsonReport, (report) => {
    report.ready({ forwardTo: 'http://127.0.0.1:4000/', from: 'there', secret: undefined, cursor })
    report.forwarded(event, done, { isAgain: true, replayId: 'r-1' }, cursor)
    report.skipped(event, 'source does not match')
    report.away('nothing answers')
    report.back()
    report.cursorRefused()
    report.stopped(cursor)
  })
  expect(text).not.toContain('secret')
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ kind }) => kind)).toEqual([
    'ready',
    'forwarded',
    'skipped',
    'waiting',
    'back',
    'cursor-refused',
    'stopped',
  ])
  expect(lines[1]).toEqual({
    kind: 'forwarded',
    receivedAt: '2026-01-02T03:04:05.000Z',
    source: 'stripe',
    type: 'payment_intent.succeeded',
    eventId: 'evt_1',
    webhookId: 'gh_7',
    delivered: true,
    answer: 'HTTP 200',
    tries: 1,
    milliseconds: 12,
    again: true,
    replay: 'r-1',
    cursor,
  })
})
