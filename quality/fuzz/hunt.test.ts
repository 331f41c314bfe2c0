import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { bytesOf, hold, type Target } from '../../test/inputs/target.ts'
import { TARGETS } from '../../test/inputs/targets.ts'
import { NO_COVERAGE } from './coverage.ts'
import { type Hunting, hunt } from './hunt.ts'

const OPTIONS: Hunting = { inputs: 3000, seed: 1, coverage: NO_COVERAGE }

function target(run: Target['run'], changes: Partial<Target> = {}): Target {
  return { name: 'planted', seeds: bytesOf('a=1'), run, ...changes }
}

/** Keeps one core busy. */
function spin(milliseconds: number): void {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

describe('the hunt finds a parser that', () => {
  it('throws, and names the shortest input at which it does', async () => {
    const parser = target((input) => {
      if (input.includes('%00')) throw new RangeError('planted')
    })
    const { findings, tried } = await hunt(parser, OPTIONS)
    expect(findings).toEqual([{ target: 'planted', input: Buffer.from('%00'), problem: 'RangeError: planted' }])
    expect(tried).toBe(3000)
  })

  it('takes too long', async () => {
    const parser = target((input) => spin(input.includes('==') ? 60 : 0), { seeds: bytesOf('a==1') })
    const { findings } = await hunt(parser, { ...OPTIONS, inputs: 1 })
    expect(findings).toEqual([{ target: 'planted', input: Buffer.from('a==1'), problem: 'takes more than 50 ms' }])
  })

  it('is slow only once, and is not at fault', async () => {
    let isFirst = true
    const parser = target(() => {
      if (isFirst) spin(60)
      isFirst = false
    })
    expect((await hunt(parser, { ...OPTIONS, inputs: 1 })).findings).toEqual([])
  })

  it('breaks after a series of changes of which each reaches code that no input reached before', async () => {
    const WAY = ['%3a', '%3av1=', '%3av1={}']
    const stageOf = (input: Buffer) => WAY.findIndex((piece) => !input.includes(piece))
    let stages = new Set<number>()
    const parser = target(
      (input) => {
        stages.add(stageOf(input))
        hold(stageOf(input) !== -1, 'the end of the way')
      },
      { dictionary: ['%3a', 'v1=', '{}'] },
    )
    const watching = {
      ...NO_COVERAGE,
      ran() {
        const ran = [...stages].map((stage) => ({
          name: `0:${stage}`,
          ranges: [{ startOffset: 0, endOffset: 1, count: 1 }],
        }))
        stages = new Set()
        return ran
      },
    }
    const options = { ...OPTIONS, inputs: 30_000 }
    const { findings, found } = await hunt(parser, { ...options, coverage: watching })
    expect(findings.map(({ problem }) => problem)).toEqual(['Error: the end of the way'])
    expect(found.length).toBeGreaterThanOrEqual(2)
    expect((await hunt(parser, options)).findings).toEqual([])
  })
})

it.each(TARGETS.filter(({ weight = 1 }) => weight === 1).map((each) => [each.name, each] as const))(
  '%s accepts or refuses new inputs as expected',
  async (_, each) => {
    expect((await hunt(each, { ...OPTIONS, inputs: 200 })).findings).toEqual([])
  },
)
