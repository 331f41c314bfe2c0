import { appendFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/support/stack.ts'
import { courseOf, judge } from './soaked.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

const MEGABYTE = 2 ** 20
const SOUND = {
  name: 'service',
  rss: MEGABYTE,
  rssGrowth: 0,
  heapGrowth: MEGABYTE,
  descriptors: [40, 45],
  delayP99: 20,
} as const

it.each([
  ['nothing', {}, []],
  ['a heap that grows', { heapGrowth: 21 * MEGABYTE }, ['service: its live heap grows 21.0 MB an hour']],
  ['descriptors that stay open', { descriptors: [40, 61] as const }, ['service: it has 61 descriptors, 40 before']],
  ['a loop that stalls', { delayP99: 501 }, ['service: its event loop stalls for 501 ms']],
])('%s is wrong with a process that shows it', (_, shown, problems) => {
  expect(judge({ ...SOUND, ...shown })).toEqual(problems)
})

it('only the second half of the time counts, and only for processes that last until the end', () => {
  const minutes = [0, 1, 2, 3]
  const samples = minutes.map((minute) => ({
    at: minute * 60_000,
    processes: [
      { pid: 7, name: 'service', rss: minute < 2 ? 9 * MEGABYTE : minute * MEGABYTE, descriptors: 10 + minute },
      ...(minute === 2 ? [{ pid: 8, name: 'passer-by', rss: 1, descriptors: 1 }] : []),
    ],
  }))
  for (const at of samples.map((sample) => sample.at)) {
    const own = {
      at,
      heap: at < 120_000 ? 99 * MEGABYTE : (at / 60_000) * MEGABYTE,
      delayP99: at / 60_000,
      delayMax: 0,
    }
    appendFileSync(`${folder.path}/7.jsonl`, `${JSON.stringify(own)}\n`)
  }
  expect(courseOf(samples, folder.path)).toEqual([
    {
      name: 'service',
      rss: 3 * MEGABYTE,
      rssGrowth: 60 * MEGABYTE,
      heapGrowth: 60 * MEGABYTE,
      descriptors: [12, 13],
      delayP99: 3,
    },
  ])
})
