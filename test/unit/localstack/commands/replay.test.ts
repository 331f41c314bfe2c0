import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../../localstack/command.ts'
import { barProgress, lineProgress, readReplayCommand } from '../../../../localstack/commands/replay.ts'
import { START } from '../../../support/fakes/clock.ts'

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

const state = (done: number, failed: number) =>
  ({ replayId: 'r-1', state: 'RUNNING', matched: 10, done, failed }) as const

describe('the progress of a replay', () => {
  it('without a terminal is a line for each step', () => {
    const lines: string[] = []
    const progress = lineProgress((line) => lines.push(line))
    for (const one of [state(0, 0), state(3, 1), state(3, 1), state(8, 2)]) progress.show(one)
    progress.end()
    expect(lines).toEqual([
      'r-1  0/10  0 done  0 failed\n',
      'r-1  4/10  3 done  1 failed\n',
      'r-1  10/10  8 done  2 failed\n',
    ])
  })

  it('on a terminal is a bar that stays in its place', () => {
    const written: string[] = []
    const lines: number[] = []
    const terminal = Object.assign(new PassThrough(), {
      isTTY: true,
      columns: 120,
      cursorTo: () => true,
      clearLine: () => true,
      moveCursor: (_: number, dy: number) => lines.push(dy),
    })
    terminal.on('data', (chunk) => written.push(String(chunk)))
    const progress = barProgress(terminal)
    progress.show(state(0, 0))
    progress.show(state(8, 2))
    progress.end()
    expect(written.join('')).toContain('10/10  8 done  2 failed')
    expect(lines.filter((dy) => dy > 0)).toEqual([])
  })
})
