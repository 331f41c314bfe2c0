import { expect, it } from 'vitest'
import { nearestName } from '../../../localstack/nearest.mjs'

const NAMES = ['send', 'seed', 'start', 'stripe', 'x']

it.each([
  ['sned', 'send'],
  ['SEND', 'send'],
  ['sees', 'seed'],
  ['starrt', 'start'],
  ['nothing', undefined],
  ['y', undefined],
  ['constructor', undefined],
])('the name that was probably intended %s: %s', (given, meant) => {
  expect(nearestName(given, NAMES)).toBe(meant)
})
