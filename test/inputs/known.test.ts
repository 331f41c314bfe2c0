import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { readCorpus } from './corpus.ts'
import { TARGETS } from './targets.ts'

it.each(TARGETS.map((target) => [target.name, target] as const))(
  '%s: inputs that were valid, invalid or reached new code are accepted or refused as before',
  async (name, { seeds, run }) => {
    for (const input of [...seeds, ...readCorpus(name)]) {
      const ended = Promise.try(() => run(input))
      await expect(ended, JSON.stringify(input.toString('latin1'))).resolves.toBeUndefined()
    }
  },
)

it('every stored input belongs to a parser', () => {
  const kept = globSync('test/inputs/corpus/*.json').map((path) => basename(path, '.json'))
  expect(TARGETS.map(({ name }) => name)).toEqual(expect.arrayContaining(kept))
  expect(new Set(TARGETS.map(({ name }) => name)).size).toBe(TARGETS.length)
})
