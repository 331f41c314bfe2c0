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
