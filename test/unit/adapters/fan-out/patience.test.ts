import { describe, expect, it } from 'vitest'
import { pauseAfter } from '../../../../lib/adapters/fan-out/backoff.ts'
import { createOutage } from '../../../../lib/adapters/fan-out/outage.ts'
import { createRepeats } from '../../../../lib/adapters/fan-out/repeats.ts'
import { recordingLog } from '../../../support/fakes/log.ts'

describe('the pause after a failure', () => {
  it.each([
    [1, 0, 100],
    [1, 0.999, 199.9],
    [2, 0, 200],
    [5, 0.5, 2400],
    [8, 0, 12_800],
    [9, 0, 15_000],
    [9, 0.5, 22_500],
    [10_000, 0, 15_000],
  ])('number %i with the random number %f is %i ms', (failures, random, milliseconds) => {
    expect(pauseAfter(failures, random)).toBeCloseTo(milliseconds)
  })
})

describe('a received id', () => {
  it('is recognized as long as there is space', () => {
    const repeats = createRepeats(3)
    expect(['a', 'b', 'c', 'a', 'd', 'a', 'c', 'd'].map(repeats.isRepeat)).toEqual([
      false,
      false,
      false,
      true,
      false,
      false,
      true,
      true,
    ])
  })
})

describe('an outage', () => {
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  const denied = Object.assign(new Error('no'), { name: 'AccessDenied' })

  it('is logged once for each cause, and at its end', () => {
    const log = recordingLog()
    const outage = createOutage(log, 'it')
    outage.worked()
    for (const cause of [refused, refused, denied, refused, denied]) outage.failed(cause)
    outage.worked()
    outage.worked()
    outage.failed(denied)
    expect(log.entries).toEqual([
      { level: 'warn', message: 'fan-out: it fails', fields: { cause: refused } },
      { level: 'warn', message: 'fan-out: it fails', fields: { cause: denied } },
      { level: 'info', message: 'fan-out: it works again', fields: {} },
      { level: 'warn', message: 'fan-out: it fails', fields: { cause: denied } },
    ])
  })
})
