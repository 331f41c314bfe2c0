import { stdout } from 'node:process'
import { describe, expect, it, vi } from 'vitest'
import { consoleLog, type Log } from '../../../lib/runtime/log.ts'
import { metricMembers } from '../../../lib/runtime/metrics.ts'
import { START } from '../../support/fakes/clock.ts'

function linesOf(write: (log: Log) => void): readonly string[] {
  const lines: string[] = []
  write(
    consoleLog(
      () => START,
      (line) => lines.push(line),
    ),
  )
  return lines
}

function entryOf(write: (log: Log) => void) {
  const [line = ''] = linesOf(write)
  return JSON.parse(line)
}

describe('the log', () => {
  it('writes a line that counts without the console, to which AWS would add time, call and level', () => {
    const written = vi.spyOn(stdout, 'write').mockReturnValue(true)
    const printed = vi.spyOn(console, 'log').mockReturnValue()
    const log = consoleLog(() => START)
    log.info('plain', { text: '"_aws":' })
    log.warn('counted', metricMembers('gatehouse-prod', 'SecretUnread', START))
    const [lines, others] = [written.mock.calls, printed.mock.calls].map((calls) => calls.map(([line]) => String(line)))
    vi.restoreAllMocks()
    expect(lines?.map((line) => JSON.parse(line))).toMatchObject([{ message: 'counted', SecretUnread: 1 }])
    expect(others?.map((line) => JSON.parse(line))).toMatchObject([{ message: 'plain' }])
  })

  it.each(['info', 'warn', 'error'] as const)('writes one line of JSON for each call: %s', (level) => {
    const lines = linesOf((log) => log[level]('hello', { source: 'payment' }))
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      timestamp: START.toISOString(),
      level: level.toUpperCase(),
      message: 'hello',
      instance: expect.any(String),
      source: 'payment',
    })
  })

  /** What would start a line or move a terminal's cursor. */
  it.each([
    ['LF', '\n'],
    ['ESC', '\u001b[31m'],
    ['C1 CSI', '\u009b31m'],
    ['NEL', '\u0085'],
    ['DEL', '\u007f'],
    ['LINE SEPARATOR', '\u2028'],
  ])('H21 escapes %s', (_, text) => {
    const [line = ''] = linesOf((log) => log.info(`a${text}b`, { [`k${text}`]: `v${text}` }))
    expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
    expect(JSON.parse(line)).toMatchObject({ message: `a${text}b`, [`k${text}`]: `v${text}` })
  })

  it.each(['\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069'])(
    'H41 escapes %j, which changes the direction of text',
    (text) => {
      const [line = ''] = linesOf((log) => log.info(`a${text}b`))
      expect(line).not.toContain(text)
      expect(JSON.parse(line).message).toBe(`a${text}b`)
    },
  )

  it('keeps only the name, text and stack of an error and of its causes', () => {
    const root = Object.assign(new Error('root'), { request: { headers: { authorization: 's3cret' } } })
    const error = Object.assign(new TypeError('outer', { cause: root }), { $metadata: 's3cret' })
    const entry = entryOf((log) => log.error('failed', { cause: error }))
    expect(entry.cause).toEqual({
      name: 'TypeError',
      message: 'outer',
      stack: error.stack,
      cause: { name: 'Error', message: 'root', stack: root.stack },
    })
    expect(JSON.stringify(entry)).not.toContain('s3cret')
  })

  it('keeps only the type of a cause that is not an error', () => {
    expect(entryOf((log) => log.error('failed', { cause: 's3cret' })).cause).toBe('string')
    expect(entryOf((log) => log.error('failed')).cause).toBeUndefined()
  })

  it('ends at an error that is its own cause', () => {
    const error = new Error('round')
    error.cause = error
    expect(entryOf((log) => log.error('failed', { cause: error })).cause.message).toBe('round')
  })
})
