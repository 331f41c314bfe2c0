import { describe, expect, it } from 'vitest'
import { nearestName } from '../../../localstack/nearest.mjs'

const NAMES = ['send', 'seed', 'start', 'stripe', 'x']

describe('the name that was probably intended', () => {
  it.each([
    ['sned', 'send'],
    ['SEND', 'send'],
    ['sees', 'seed'],
    ['starrt', 'start'],
    ['nothing', undefined],
    ['y', undefined],
    ['constructor', undefined],
  ])('%s: %s', (given, meant) => {
    expect(nearestName(given, NAMES)).toBe(meant)
  })
})
