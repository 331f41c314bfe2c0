import { describe, expect, it, vi } from 'vitest'
import { unavailable } from '../../../lib/errors.ts'
import { createSecretCache, derived, settingsIn } from '../../../lib/runtime/secrets.ts'
import { fixedClock } from '../../support/fakes/clock.ts'
import { recordingLog } from '../../support/fakes/log.ts'

describe('a derived value', () => {
  it('is computed once for each value, the first at once', () => {
    const source = { current: ['a'] }
    const make = vi.fn((value: readonly string[]) => value.join())
    const made = derived(source, make)
    expect(make).toHaveBeenCalledTimes(1)
    expect([made.current, made.current]).toEqual(['a', 'a'])
    expect(make).toHaveBeenCalledTimes(1)
    source.current = ['b', 'c']
    expect([made.current, made.current]).toEqual(['b,c', 'b,c'])
    expect(make).toHaveBeenCalledTimes(2)
  })
})

const MAXIMUM_AGE = 300_000
const STAYS = 'secret stays as it was'

/** What CloudWatch counts in a line, which an alarm looks at. */
const COUNTED = {
  service: 'gatehouse-prod',
  SecretUnread: 1,
  _aws: {
    Timestamp: expect.any(Number),
    CloudWatchMetrics: [
      { Namespace: 'Gatehouse', Dimensions: [['service']], Metrics: [{ Name: 'SecretUnread', Unit: 'Count' }] },
    ],
  },
}

function setUp(first: string | undefined = '1') {
  const clock = fixedClock()
  const log = recordingLog()
  const keeper = createSecretCache({ clock, log, serviceName: 'gatehouse-prod' })
  const held: { text: string | undefined; isDown: boolean; reads: number } = { text: first, isDown: false, reads: 0 }
  const source = {
    async read() {
      held.reads += 1
      if (held.isDown) throw unavailable(new Error('down'))
      return held.text
    },
  }
  function understand(text: string | undefined): { readonly number: number } {
    if (Number.isNaN(Number(text))) throw new Error('no number')
    return { number: Number(text) }
  }
  const keep = () => keeper.load({ name: 'gatehouse/prod/tokens', source, maximumAge: MAXIMUM_AGE, parse: understand })
  return { clock, log, keeper, held, keep }
}

describe('a cached secret', () => {
  it('is read once, and again only when it is too old', async () => {
    const { clock, keeper, held, keep } = setUp()
    const kept = await keep()
    held.text = '2'
    clock.advance(MAXIMUM_AGE - 1)
    expect(keeper.refresh()).toBeUndefined()
    expect([kept.current, held.reads]).toEqual([{ number: 1 }, 1])
    clock.advance(1)
    await keeper.refresh()
    expect([kept.current, held.reads]).toEqual([{ number: 2 }, 2])
    expect(keeper.refresh()).toBeUndefined()
  })

  it('K12 is read again when the clock jumps back by an hour, and then as often as before', async () => {
    const { clock, keeper, held, keep } = setUp()
    const kept = await keep()
    held.text = '2'
    clock.advance(-3_600_000)
    await keeper.refresh()
    expect(kept.current).toEqual({ number: 2 })
    clock.advance(MAXIMUM_AGE - 1)
    expect(keeper.refresh()).toBeUndefined()
    clock.advance(1)
    await keeper.refresh()
    expect(held.reads).toBe(3)
  })

  it('is the same object while its text is the same', async () => {
    const { clock, keeper, keep } = setUp()
    const kept = await keep()
    const before = kept.current
    clock.advance(MAXIMUM_AGE)
    await keeper.refresh()
    expect(kept.current).toBe(before)
  })

  it('is read once for all callers during the read', async () => {
    const { clock, keeper, held, keep } = setUp()
    await keep()
    clock.advance(MAXIMUM_AGE)
    await Promise.all([keeper.refresh(), keeper.refresh(), keeper.refresh()])
    expect(held.reads).toBe(2)
  })

  it('is as old as the request, not as the answer', async () => {
    const { clock, keeper, held, keep } = setUp()
    await keep()
    clock.advance(MAXIMUM_AGE)
    const slow = keeper.refresh()
    clock.advance(MAXIMUM_AGE)
    await slow
    await keeper.refresh()
    expect(held.reads).toBe(3)
  })

  it('K06 stays while it cannot be read, with one warning, and is read again every 30 seconds', async () => {
    const { clock, log, keeper, held, keep } = setUp()
    const kept = await keep()
    Object.assign(held, { isDown: true, text: '2' })
    clock.advance(MAXIMUM_AGE)
    await keeper.refresh()
    clock.advance(29_999)
    expect(keeper.refresh()).toBeUndefined()
    clock.advance(1)
    await keeper.refresh()
    expect([kept.current, held.reads]).toEqual([{ number: 1 }, 3])
    expect(log.of(STAYS)).toEqual([{ secret: 'gatehouse/prod/tokens', cause: expect.any(Error), ...COUNTED }])

    held.isDown = false
    clock.advance(30_000)
    await keeper.refresh()
    expect(kept.current).toEqual({ number: 2 })
    expect(log.of('secret read again')).toEqual([{ secret: 'gatehouse/prod/tokens' }])
    clock.advance(MAXIMUM_AGE - 1)
    expect(keeper.refresh()).toBeUndefined()
  })

  it.each(['nonsense', undefined])('stays when the new text is invalid: %s', async (text) => {
    const { clock, log, keeper, held, keep } = setUp()
    const kept = await keep()
    held.text = text
    for (const age of [MAXIMUM_AGE, 30_000, 30_000]) {
      clock.advance(age)
      await keeper.refresh()
    }
    expect(kept.current).toEqual({ number: 1 })
    expect(log.of(STAYS)).toHaveLength(1)
    held.text = '3'
    clock.advance(30_000)
    await keeper.refresh()
    expect(kept.current).toEqual({ number: 3 })
  })
})

describe('a secret that is read for the first time', () => {
  it('fails its callers when the source is down', async () => {
    const { log, held, keep } = setUp()
    held.isDown = true
    await expect(keep()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(log.of('secret cannot be read')).toEqual([
      { secret: 'gatehouse/prod/tokens', cause: expect.any(Error), ...COUNTED },
    ])
  })

  it.each(['nonsense', undefined])('fails its callers when it is invalid: %s', async (text) => {
    const { held, keeper, clock, keep } = setUp()
    held.text = text
    await expect(keep()).rejects.toThrow('no number')
    clock.advance(MAXIMUM_AGE)
    expect(keeper.refresh(), 'nothing is kept of it').toBeUndefined()
  })
})

const read = (text: string) => settingsIn(text, 'gatehouse/prod/tokens', ['A', 'B'])

describe('the text of a secret', () => {
  it.each([
    ['texts', '{"A":"one","B":""}', { A: 'one', B: '' }],
    ['JSON unchanged, or as a text', '{"A":{"x":["y"]},"B":"{\\"x\\":1}"}', { A: '{"x":["y"]}', B: '{"x":1}' }],
    ['nothing for a missing name, so that no environment replaces it', '{"A":"one"}', { A: 'one', B: undefined }],
    ['no other name', '{"A":"one","STAGE":"local","__proto__":"x"}', { A: 'one', B: undefined }],
  ])('holds %s', (_, text, settings) => {
    expect(read(text)).toStrictEqual(settings)
  })

  it.each(['top-secret', '"top-secret"', '["top-secret"]', 'null'])('is refused, and not quoted: %s', (text) => {
    expect(() => read(text)).toThrow('gatehouse/prod/tokens: must be a JSON object')
    expect(() => read(text)).not.toThrow(/top/)
  })
})
