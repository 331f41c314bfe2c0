import { expect, it } from 'vitest'
import type { Call, Kind } from './calls.ts'
import { Load, percentile, shedOf } from './load.ts'

const kind = (name: string): Kind => ({
  name,
  share: 25,
  status: 200,
  make: () => ({ method: 'GET', path: `/${name}`, headers: {} }),
  stores: (number) => ({ source: name, eventId: String(number) }),
})

const ANSWERS: Readonly<Record<string, () => Promise<{ status: number; text: string }>>> = {
  '/good': async () => ({ status: 200, text: '' }),
  '/shed': async () => ({ status: 503, text: '' }),
  '/bad': async () => ({ status: 500, text: '' }),
  '/lost': () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNRESET' })),
}

const sender = { send: ({ path }: Call) => ANSWERS[path]?.() ?? Promise.reject(new Error(path)), close() {} }

it('only an expected answer is acknowledged, 503 is rejected, and every other answer is wrong', async () => {
  const load = new Load(sender, ['good', 'shed', 'bad', 'lost'].map(kind))
  const outcome = await load.open(400, 0.02)
  expect(outcome.sent).toBe(8)
  expect(load.acknowledged).toEqual([0, 4].map((number) => ({ source: 'good', eventId: String(number) })))
  expect(shedOf(outcome)).toBe(2)
  expect([...outcome.wrong].sort()).toEqual(['bad: 500', 'bad: 500', 'lost: ECONNRESET', 'lost: ECONNRESET'])
  expect(outcome.latency.count).toBe(2)
  expect(percentile(outcome, 50)).toBeGreaterThan(0)
})

it('closed-loop callers send one call at a time', async () => {
  let most = 0
  let under = 0
  const counting = {
    async send() {
      most = Math.max(most, ++under)
      await new Promise(setImmediate)
      under -= 1
      return { status: 200, text: '' }
    },
    close() {},
  }
  await new Load(counting, [kind('good')]).closed(3, 0.02)
  expect(most).toBe(3)
})
