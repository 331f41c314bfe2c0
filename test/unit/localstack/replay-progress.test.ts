import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { barProgress, lineProgress } from '../../../localstack/replay-progress.ts'

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
