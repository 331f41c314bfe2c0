import { describe, expect, it } from 'vitest'
import { type RefusedSpan, refusedSources } from '../../../../lib/webhooks/heard/refused.ts'

const MINUTE = 60_000
const NOW = new Date('2026-03-02T12:00:00.000Z')
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * MINUTE)

const refused = (count: number, minutes = 20, source = 'stripe'): RefusedSpan => ({ source, at: ago(minutes), count })
const heard = (minutes: number, source = 'stripe') => ({ source, firstAt: ago(700), lastAt: ago(minutes) })

describe('a source is reported', () => {
  it.each<[string, readonly RefusedSpan[], readonly ReturnType<typeof heard>[]]>([
    ['that was never accepted', [refused(5)], []],
    ['that was accepted before', [refused(5)], [heard(21)]],
    ['while others are accepted', [refused(5)], [heard(1, 'github')]],
    ['that is sometimes refused', [refused(2, 50), refused(3, 10)], [heard(55)]],
    ['that was refused before, accepted in between, and is refused again', [refused(90, 50), refused(5)], [heard(30)]],
  ])('%s', (_, spans, days) => {
    expect(refusedSources(spans, days, NOW)).toEqual([{ source: 'stripe', count: 5 }])
  })
})

describe('a source is not reported', () => {
  it.each<[string, readonly RefusedSpan[], readonly ReturnType<typeof heard>[]]>([
    ['that was refused four times', [refused(4)], []],
    ['that was accepted after it was refused', [refused(100)], [heard(19)]],
    ['that is accepted as well', [refused(100, 30), refused(100, 20), refused(4, 10)], [heard(15)]],
    ['that was accepted in the same ten minutes', [refused(100, 20)], [heard(12)]],
    ['that was refused more than an hour ago', [refused(100, 61)], []],
    ['that does not exist, under an invented name', [refused(100, 20, '(unknown)')], []],
  ])('%s', (_, spans, days) => {
    expect(refusedSources(spans, days, NOW)).toEqual([])
  })
})

it('only the latest result of a source counts', () => {
  expect(refusedSources([refused(5)], [heard(10), heard(1500)], NOW)).toEqual([])
})
