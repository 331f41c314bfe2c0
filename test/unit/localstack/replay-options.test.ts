import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../localstack/command.ts'
import { readReplayCommand } from '../../../localstack/replay-options.ts'
import { START } from '../../support/fakes/clock.ts'

const read = (...args: readonly string[]) => readReplayCommand(args, START)

describe('the options of a replay', () => {
  it('become its order', () => {
    const filter = ['--status', 'FAILED', '--source', 'payment', '--type', 'PAYMENT', '--q', 'another order', '--dead']
    const times = ['--from', '2026-01-01T00:00:00', '--to', '2026-01-02T00:00:00']
    const how = ['--rate', '5', '--reason', 'corrected', '--id', 'r-1', '--destination', 'crm']
    expect(read(...filter, ...times, ...how)).toEqual({
      mode: 'run',
      order: {
        replayId: 'r-1',
        filter: {
          status: 'FAILED',
          source: 'payment',
          type: 'PAYMENT',
          q: 'another order',
          dead: true,
          from: '2026-01-01T00:00:00',
          to: '2026-01-02T00:00:00',
        },
        destination: 'crm',
        ratePerSecond: 5,
        reason: 'corrected',
      },
      url: undefined,
      user: undefined,
      json: false,
    })
  })

  it('generate an id that the service accepts', () => {
    const { order } = read('--status', 'FAILED')
    expect(order).toEqual({
      replayId: expect.stringMatching(/^replay-2026-01-02T03:04:05-[0-9a-f]{6}$/),
      filter: { status: 'FAILED' },
    })
  })

  it.each([
    ['only count', ['--source', 'payment', '--dry-run'], 'count'],
    ['run', ['--source', 'payment', '--id', 'r-1'], 'run'],
    ['list all replays', ['--list'], 'list'],
    ['only watch, with nothing but an id', ['--id', 'r-1'], 'watch'],
  ])('order to %s', (_, args, mode) => {
    expect(read(...args).mode).toBe(mode)
  })

  it('name the service and the user', () => {
    expect(read('--id', 'r-1', '--url', 'https://api.example', '--user', 'eve')).toMatchObject({
      url: new URL('https://api.example'),
      user: 'eve',
    })
  })

  it.each([
    ['nothing', []],
    ['a list and a filter', ['--list', '--source', 'payment']],
    ['no filter and no id', ['--rate', '5']],
    ['an address with another scheme', ['--id', 'r-1', '--url', 'file:///etc/passwd']],
  ])('are invalid: %s', (_, args) => {
    expect(() => read(...args)).toThrow(UsageError)
  })
})
