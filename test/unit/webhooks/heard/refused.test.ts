import { describe, expect, it } from 'vitest'
import { type RefusedSpan, refusedSources } from '../../../../lib/webhooks/heard/refused.ts'

const MINUTE = 60_000
const NOW = new Date('2026-03-02T12:00:00.000Z')
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * MINUTE)

const refused = (count: number, minutes = 20, source = 'stripe'): RefusedSpan => ({ source, at: ago(minutes), count })
const heard = (minutes: number, source = 'stripe') => ({ source, firstAt: ago(700), lastAt: ago(minutes) })

describe('a source is told of', () => {
  it.each<[string, readonly RefusedSpan[], readonly ReturnType<typeof heard>[]]>([
    ['that never was taken', [refused(5)], []],
    ['that was taken before', [refused(5)], [heard(21)]],
    ['while others are taken', [refused(5)], [heard(1, 'github')]],
    ['that is refused now and then', [refused(2, 50), refused(3, 10)], [heard(55)]],
    [
      'that was refused before, for what was put right then, and is refused again',
      [refused(90, 50), refused(5)],
      [heard(30)],
    ],
  ])('%s', (_, spans, days) => {
    expect(refusedSources(spans, days, NOW)).toEqual([{ source: 'stripe', count: 5 }])
  })
})

describe('a source is not told of', () => {
  it.each<[string, readonly RefusedSpan[], readonly ReturnType<typeof heard>[]]>([
    ['that was refused four times', [refused(4)], []],
    ['that was taken after it was refused', [refused(100)], [heard(19)]],
    ['that is taken as well', [refused(100, 30), refused(100, 20), refused(4, 10)], [heard(15)]],
    ['that was taken in the same ten minutes', [refused(100, 20)], [heard(12)]],
    ['that was refused more than an hour ago', [refused(100, 61)], []],
    ['that is none, but a name that somebody made up', [refused(100, 20, '(unknown)')], []],
    ['that is the canary, which has an alarm of its own', [refused(100, 20, 'canary')], []],
  ])('%s', (_, spans, days) => {
    expect(refusedSources(spans, days, NOW)).toEqual([])
  })
})

it('only the last word of a source counts', () => {
  expect(refusedSources([refused(5)], [heard(10), heard(1500)], NOW)).toEqual([])
})
