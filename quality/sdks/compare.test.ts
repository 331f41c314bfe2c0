import { describe, expect, it } from 'vitest'
import { providerOf } from '../../lib/webhooks/providers/index.ts'
import { verify } from '../../lib/webhooks/verify.ts'
import { newCredentials } from './cases.ts'
import { compare, type Judged, type Service } from './compare.ts'
import { exitCodeOf, reportOf } from './report.ts'
import type { Call, Sdk } from './sdk.ts'

/** Stands for a service and for an SDK. */
function holds(source: Sdk['source'], call: Call, secret: string): boolean {
  const { scheme } = providerOf(source)
  return verify({ method: 'POST', ...call }, { scheme, secrets: [{ value: secret }], now: new Date() }).ok
}

/** One that only verifies; the name is that of an installed package. */
function sdkOf(source: Sdk['source'], others: Partial<Sdk> = {}): Sdk {
  return { package: 'stripe', source, accepts: (call, secret) => holds(source, call, secret), ...others }
}

function serviceFor(sdk: Sdk, others: Partial<Service> = {}): Service {
  const credentials = newCredentials(sdk)
  return {
    address: 'http://127.0.0.1:1',
    credentials,
    send: async (call) => (holds(sdk.source, call, credentials.secret) ? 200 : 401),
    now: () => 0,
    ...others,
  }
}

/** Gives the other answer to the calls of these places. */
function flipping(send: Service['send'], ...places: readonly number[]): Service['send'] {
  let place = 0
  return async (call) => {
    const status = await send(call)
    return places.includes(place++) ? 601 - status : status
  }
}

const gradesOf = (judged: readonly Judged[]) => Object.fromEntries(judged.map(({ name, grade }) => [name, grade]))
const differencesIn = (judged: readonly Judged[]) =>
  judged.filter(({ grade }) => grade === 'different').map(({ name }) => name)

const CASES = ['good', 'body tampered', 'signature tampered', 'no signature', 'other secret']
const TIMED = [...CASES, 'just in time', 'too old', 'in the future']

it.each([
  { sdk: sdkOf('adyen'), names: CASES },
  { sdk: sdkOf('twilio', { queries: ['?bar=a%20b'] }), names: [...CASES, '?bar=a%20b'] },
  { sdk: sdkOf('stripe', { seconds: 300 }), names: TIMED },
  { sdk: sdkOf('discord', { seconds: Number.POSITIVE_INFINITY }), names: [...CASES, 'a day old', 'in the future'] },
])('the same verdicts end the run of $sdk.source with 0', async ({ sdk, names }) => {
  const judged = await compare(sdk, serviceFor(sdk))
  expect(gradesOf(judged)).toEqual(Object.fromEntries(names.map((name) => [name, 'equal'])))
  expect(exitCodeOf([{ sdk, judged }])).toBe(0)
})

describe('another verdict', () => {
  it.each(TIMED.map((name, place) => ({ name, place })))('on "$name" ends the run with 1', async ({ name, place }) => {
    const sdk = sdkOf('stripe', { seconds: 300 })
    const service = serviceFor(sdk)
    const judged = await compare(sdk, { ...service, send: flipping(service.send, place) })
    expect(differencesIn(judged)).toEqual([name])
    expect(exitCodeOf([{ sdk, judged }])).toBe(1)
  })

  it('is named in the row of its package', async () => {
    const sdk = sdkOf('razorpay')
    const service = serviceFor(sdk)
    const judged = await compare(sdk, { ...service, send: flipping(service.send, 1) })
    const report = reportOf([{ sdk, judged }])
    expect(report).toMatch(
      /^stripe@\d+\S+ +razorpay +npm run send +5 +4 +- +body tampered: accepted, by the SDK refused$/m,
    )
    expect(report).toContain('packages: 1, calls: 5, equal: 4, decided: 0, different: 1')
  })
})

it.each([
  { accepted: false, names: ['good', 'just in time'] },
  { accepted: true, names: ['body tampered', 'signature tampered', 'no signature', 'other secret', 'too old'] },
])(
  'verdicts that are equal and wrong differ from the required one: accepted is $accepted',
  async ({ accepted, names }) => {
    const sdk = sdkOf('stripe', { seconds: 300, accepts: () => accepted })
    const judged = await compare(sdk, serviceFor(sdk, { send: async () => (accepted ? 200 : 401) }))
    expect(differencesIn(judged)).toEqual(names)
  },
)

describe('decided differences', () => {
  const place = { old: TIMED.indexOf('too old'), future: TIMED.indexOf('in the future') }

  it('include future times that the service refuses', async () => {
    const sdk = sdkOf('slack', { seconds: 300, accepts: flippingSdk('slack', place.future) })
    const judged = await compare(sdk, serviceFor(sdk))
    expect(gradesOf(judged)).toMatchObject({ 'too old': 'equal', 'in the future': 'decided' })
    expect(exitCodeOf([{ sdk, judged }])).toBe(0)
    expect(reportOf([{ sdk, judged }])).toContain('decided: in the future is refused here')
  })

  it('exclude old calls that only the SDK accepts', async () => {
    const sdk = sdkOf('paddle', { seconds: 5, accepts: flippingSdk('paddle', place.old) })
    expect(differencesIn(await compare(sdk, serviceFor(sdk)))).toEqual(['too old'])
  })

  function flippingSdk(source: Sdk['source'], wanted: number): Sdk['accepts'] {
    let calls = 0
    return (call, secret) => holds(source, call, secret) !== (calls++ === wanted)
  }
})

it('a call that took three seconds is sent again when the verdict differs, five times at most', async () => {
  const sdk = sdkOf('razorpay')
  let now = 0
  let calls = 0
  const send = async () => {
    calls++
    return 503
  }
  const service = serviceFor(sdk, { send, now: () => (now += 3001) })
  expect(differencesIn(await compare(sdk, service))).toEqual(CASES)
  expect(calls).toBe(5 * CASES.length)
})
