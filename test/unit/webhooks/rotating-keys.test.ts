import { describe, expect, it } from 'vitest'
import { createRotatingKeys, type RotatingKeys } from '../../../lib/webhooks/rotating-keys.ts'
import { bodyOf, type KeyRequest, type Rotation } from '../../../lib/webhooks/schemes/rotation.ts'
import { fixedClock } from '../../support/fakes/clock.ts'
import { fakeKeyServer, memoryDocuments } from '../../support/fakes/key-server.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { recordingMetrics } from '../../support/fakes/metrics.ts'
import { inFull } from '../../support/full-runs.ts'
import { signedCall } from '../../support/signed-call.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Documents are lists of ids, whose keys are `<id>@<document>`; an id may have its last second behind `=`. */
const rotation: Rotation = {
  isName: (secret) => secret.startsWith('name of '),
  keyOf({ headers }) {
    const { document = '', id = '' } = headers
    if (document === 'elsewhere') return undefined
    return {
      document,
      id,
      request: { url: `https://keys.example/${document}` },
      keysIn(answer) {
        if (answer.status === 404) return new Map()
        const ids = bodyOf(answer).toString().split(' ')
        if (ids.includes('garbage')) throw new Error('garbage')
        return new Map(
          ids.map((one) => {
            const [name = '', seconds] = one.split('=')
            return [name, { text: `${name}@${document}`, ...(seconds && { notAfter: new Date(seconds) }) }]
          }),
        )
      },
      secretWith: (key) => key,
    }
  },
}

/** An instance; those with the same documents are of one deployment. */
function setUp(
  answer: (request: KeyRequest) => string | number | Error,
  good = memoryDocuments(),
  clock = fixedClock(),
) {
  const log = recordingLog()
  const metrics = recordingMetrics()
  const server = fakeKeyServer(answer)
  const keys = createRotatingKeys({ server, good, clock, log, metrics })
  return { clock, log, metrics, server, keys, find: finder(keys) }
}

const CALLER = { network: 'n', pay: async () => undefined }
const SECRET = { value: 'name of it', label: 'shop#1' }

/** The keys that a call gets: their texts, or why it gets none. Each call comes from a network of its own. */
function finder(keys: RotatingKeys) {
  let calls = 0
  return async (id: string, document = 'd', source = 'shop', network = `192.0.2.${calls++}`) => {
    try {
      const found = await keys.secretsFor(source, rotation, signedCall({ document, id }), [SECRET], {
        ...CALLER,
        network,
      })
      return found.map(({ value }) => value).join() || 'unknown'
    } catch (error) {
      return Reflect.get(Object(error), 'code')
    }
  }
}

describe('a key is', () => {
  it('fetched for the first call that needs it, and cached for an hour', async () => {
    const { find, clock, server } = setUp(() => 'a b')
    expect(await find('a')).toBe('a@d')
    clock.advance(HOUR - 1)
    expect([await find('a'), await find('b')]).toEqual(['a@d', 'b@d'])
    expect(server.asked).toHaveLength(1)
    clock.advance(1)
    expect(await find('a')).toBe('a@d')
    expect(server.asked).toHaveLength(2)
  })

  it('found synchronously in the cache, as the same object, so that it is parsed once', async () => {
    const { keys } = setUp(() => 'a')
    const ask = () => keys.secretsFor('shop', rotation, signedCall({ document: 'd', id: 'a' }), [SECRET], CALLER)
    expect(ask()).toBeInstanceOf(Promise)
    await ask()
    const [one, other] = [ask(), ask()]
    expect(one).toEqual([{ value: 'a@d', label: 'shop#1' }])
    expect(Reflect.get(one, 0)).toBe(Reflect.get(other, 0))
  })

  it('fetched once for all calls during the request', async () => {
    const { find, server } = setUp(() => 'a b')
    expect(await Promise.all(['a', 'b', 'a', 'c'].map((id) => find(id)))).toEqual(['a@d', 'b@d', 'a@d', 'unknown'])
    expect(server.asked).toHaveLength(1)
  })

  it('removed when its server no longer has it, or when its time is over', async () => {
    const answers = ['a b=2026-01-02T03:34:05Z', 'b', 404]
    const { find, clock } = setUp(() => answers.shift() ?? 'a')
    expect([await find('a'), await find('b')]).toEqual(['a@d', 'b@d'])
    clock.advance(HOUR / 2 + 1)
    expect([await find('a'), await find('b')]).toEqual(['a@d', 'unknown'])
    clock.advance(HOUR / 2)
    expect([await find('a'), await find('b')]).toEqual(['unknown', 'b@d'])
    clock.advance(HOUR)
    expect(await find('b')).toBe('unknown')
  })

  it('not requested if a secret contains its own, or a call names none', async () => {
    const { keys, find, server } = setUp(() => 'a')
    const own = { value: 'a key' }
    expect(keys.secretsFor('shop', rotation, signedCall({ document: 'd', id: 'a' }), [own], CALLER)).toEqual([own])
    expect(await find('a', 'elsewhere')).toBe('unknown')
    expect(server.asked).toEqual([])
  })
})

describe('while the server', () => {
  it.each<[string, string | number | Error]>([
    ['is down', new Error('connect ECONNREFUSED')],
    ['fails', 500],
    ['sends garbage', 'garbage'],
  ])('%s, a known key is used for 24 hours, and an unknown one can be requested later', async (_, failure) => {
    let isUp = true
    const { find, clock, log, server } = setUp(() => (isUp ? 'a' : failure))
    expect(await find('a')).toBe('a@d')
    isUp = false
    clock.advance(HOUR)
    expect([await find('a'), await find('a'), await find('b')]).toEqual(['a@d', 'a@d', 'UNAVAILABLE'])
    expect(server.asked).toHaveLength(3)
    expect(log.of('keys cannot be fetched')).toMatchObject([{ source: 'shop' }, { source: 'shop' }])
    clock.advance(23 * HOUR - 1)
    expect(await find('a')).toBe('a@d')
    clock.advance(1)
    expect(await find('a')).toBe('UNAVAILABLE')
    isUp = true
    expect(await find('a')).toBe('a@d')
  })

  it('fails, it is called once a minute for a known key', async () => {
    let isUp = true
    const { find, clock, server } = setUp(() => (isUp ? 'a' : 500))
    await find('a')
    isUp = false
    clock.advance(HOUR)
    for (let second = 0; second < 120; second++, clock.advance(SECOND)) expect(await find('a')).toBe('a@d')
    expect(server.asked).toHaveLength(3)
  })

  it('has other keys at every call, each call costs a request at most, and no unknown one gets a key', async () => {
    let count = 0
    const { find, clock, server } = setUp(() => `k${count++}`)
    expect(await find('k0')).toBe('k0@d')
    const again = () => find('k9', 'd', 'shop', 'one')
    expect([await again(), await again()]).toEqual(['unknown', 'unknown'])
    clock.advance(MINUTE)
    expect(await again()).toBe('unknown')
    expect(server.asked).toHaveLength(3)
  })
})

describe('an unknown key', () => {
  it('is not requested again for a minute by the network that named it', async () => {
    const { find, clock, server } = setUp(() => 'a')
    const again = () => find('new', 'd', 'shop', 'one')
    expect([await again(), await again()]).toEqual(['unknown', 'unknown'])
    clock.advance(MINUTE - 1)
    expect(await again()).toBe('unknown')
    expect(server.asked).toHaveLength(1)
    clock.advance(1)
    expect(await again()).toBe('unknown')
    expect(server.asked).toHaveLength(2)
    expect(await find('new')).toBe('unknown')
    expect(server.asked).toHaveLength(3)
  })

  it('raises an alarm when it is used again, one a minute and source', async () => {
    const { find, clock, log, metrics } = setUp(() => 'a')
    await find('new', 'd', 'shop', 'one')
    expect(log.entries).toEqual([])
    for (const [id, network] of [
      ['new', 'one'],
      ['new', 'one'],
      ['other', 'two'],
      ['other', 'two'],
    ])
      await find(String(id), 'd', 'shop', network)
    const line = { level: 'error', message: 'unknown key repeated', fields: { source: 'shop' } }
    expect(log.entries).toEqual([line])
    expect(metrics.counted).toEqual([['UnknownKey', { source: 'shop' }]])
    clock.advance(MINUTE)
    await find('new', 'd', 'shop', 'one')
    expect(log.entries).toEqual([line, line])
  })
})

describe('S4 strangers who name keys', () => {
  it('from one network leave each genuine call its fetch: 85 invented ones a minute, on a cold instance', async () => {
    const { find, clock, server } = setUp(({ url }) => (url.includes('made') ? 404 : 'a'))
    const genuine: string[] = []
    for (let call = 0; call < 850; call++, clock.advance(MINUTE / 85)) {
      await find('x', `made-up-${call}`, 'sns', '203.0.113.7')
      if (call % 42 === 41) genuine.push(await find('a', `genuine-${call}`, 'sns'))
    }
    expect(genuine).toEqual(Array.from({ length: 20 }, (_, index) => `a@genuine-${42 * index + 41}`))
    expect(server.asked.length - genuine.length).toBeLessThanOrEqual(600 / 30)
  })

  it('from any number of networks leave the keys that were good before their fetch', async () => {
    const { find, clock } = setUp(({ url }) => (url.includes('made') ? 404 : 'a'))
    expect(await find('a')).toBe('a@d')
    for (let round = 0; round < 3; round++) {
      clock.advance(24 * HOUR)
      for (let count = 0; count < 100; count++) await find('x', `made-up-${round}-${count}`)
      for (let count = 0; count < 100; count++) await find(`made-up-${count}`)
      expect(await find('a')).toBe('a@d')
    }
  })

  it('from any number of networks leave a cold instance the keys that another one fetched before', async () => {
    const answer = ({ url }: KeyRequest) => (url.includes('made') ? 404 : 'a')
    const good = memoryDocuments()
    const clock = fixedClock()
    for (let count = 0; count < 51; count++, clock.advance(10 * SECOND))
      expect(await setUp(answer, good, clock).find('a', `d-${count}`)).toBe(`a@d-${count}`)
    const { find } = setUp(answer, good, clock)
    for (let count = 0; count < 100; count++) await find('x', `made-up-${count}`)
    expect([await find('a', 'd-50'), await find('a', 'd-1')]).toEqual(['a@d-50', 'a@d-1'])
    expect(await find('a', 'd-0')).toBe('UNAVAILABLE')
  })

  it('pay for each fetch, and for nothing else', async () => {
    const { keys } = setUp(({ url }) => (url.includes('made') ? 404 : 'a'))
    let paid = 0
    const pay = async () => {
      paid += 1
    }
    const ask = async (document: string, network: string) => {
      const call = signedCall({ document, id: 'a' })
      await Promise.resolve(keys.secretsFor('shop', rotation, call, [SECRET], { network, pay })).catch(() => undefined)
      return paid
    }
    expect(await ask('made-up', 'one')).toBe(1)
    expect(await ask('made-up-again', 'one')).toBe(1)
    expect(await ask('d', 'two')).toBe(2)
    expect(await ask('d', 'three')).toBe(2)
  })

  it('are judged as before while the good documents cannot be read or kept', async () => {
    const down = async () => {
      throw new Error('the store is down')
    }
    const { find, log } = setUp(() => 'a', { of: down, keep: down })
    expect(await find('a')).toBe('a@d')
    expect(log.entries.map(({ message }) => message)).toEqual(['good keys not read', 'good key not kept'])
  })

  it('have no other source pay for it', async () => {
    const { find } = setUp(({ url }) => (url.includes('made') ? 404 : 'a'))
    for (let count = 0; count < 100; count++) await find('x', `made-up-${count}`)
    expect(await find('a', 'd', 'other')).toBe('a@d')
  })
})

describe('W44 thousands of invented keys', () => {
  const CALLS = inFull(10_000, 2000)

  it('cost three requests at once and one in three seconds, and are not remembered beyond the limit', async () => {
    const { find, clock, server } = setUp(({ url }) => (url.endsWith('/d') ? 'a' : 404))
    expect(await find('a')).toBe('a@d')
    const outcomes = new Map<string, number>()
    for (let count = 0; count < CALLS; count++, clock.advance(1)) {
      const outcome = await find(`made up ${count}`, `made up ${count}`)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
    expect(server.asked.length).toBeLessThanOrEqual(1 + 3 + CALLS / SECOND / 3)
    expect(outcomes.get('unknown')).toBe(server.asked.length - 1)
    expect(await find('a')).toBe('a@d')
  })

  it('replace no cached key, and do not block those of other sources', async () => {
    const { find, clock, server } = setUp(({ url }) => (url.includes('made') ? 404 : 'a'))
    for (let count = 0; count < 64; count++) await find('a', `good-${count}`, `source-${count}`)
    for (let count = 0; count < 1000; count++, clock.advance(SECOND)) await find('x', `made-up-${count}`)
    const before = server.asked.length
    for (let count = 0; count < 64; count++) expect(await find('a', `good-${count}`)).toBe(`a@good-${count}`)
    expect(server.asked).toHaveLength(before)
    expect(await find('a', 'another', 'other')).toBe('a@another')
  })

  it('occupy no more than 256 places', async () => {
    const { find, server } = setUp(() => 404)
    const named = (count: number) => find('x', `made-up-${count}`, `source-${count}`, 'one')
    for (let count = 0; count < 257; count++) await named(count)
    for (let count = 1; count < 257; count++) expect(await named(count)).toBe('unknown')
    expect(server.asked).toHaveLength(257)
    expect(await named(0)).toBe('UNAVAILABLE')
  })
})

describe('a request that a signed call causes', () => {
  const request = { url: 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription' }

  it('is made once', async () => {
    const { keys, server } = setUp(() => '<xml/>')
    await keys.confirm('shop', request)
    await keys.confirm('shop', request)
    expect(server.asked).toEqual([request])
  })

  it.each<[string, number | Error]>([
    ['fails', new Error('down')],
    ['is refused', 403],
  ])('can be sent again if it %s', async (_, failure) => {
    const answers = [failure]
    const { keys, server, log } = setUp(() => answers.shift() ?? '<xml/>')
    await expect(keys.confirm('shop', request)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(log.of('subscription cannot be confirmed')).toMatchObject([{ source: 'shop' }])
    await keys.confirm('shop', request)
    expect(server.asked).toHaveLength(2)
  })

  it('counts among the requests of its source', async () => {
    const { keys, server } = setUp(() => '')
    for (let count = 0; count < 6; count++) await keys.confirm('shop', { url: `${request.url}&Token=${count}` })
    await expect(keys.confirm('shop', request)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(server.asked).toHaveLength(6)
  })
})
