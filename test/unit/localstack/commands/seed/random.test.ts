import { expect, it } from 'vitest'
import { seeded } from '../../../../../localstack/commands/seed/stories.ts'

const NAMES = Array.from({ length: 1000 }, (_, index) => `name ${index}`)

it('a whole number can be either end', () => {
  const drawn = NAMES.map((name) => seeded('a').between(3, 5, name))
  expect(new Set(drawn)).toEqual(new Set([3, 4, 5]))
})

it('every choice occurs', () => {
  expect(new Set(NAMES.map((name) => seeded('a').pick(['x', 'y', 'z'], name)))).toEqual(new Set(['x', 'y', 'z']))
})

it('a UUID is valid, of version 4', () => {
  for (const name of NAMES)
    expect(seeded('a').uuid(name)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
})
