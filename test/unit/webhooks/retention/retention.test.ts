import { describe, expect, it } from 'vitest'
import type { GatehouseConfig } from '../../../../lib/config.ts'
import { checkedConfig, readConfig } from '../../../../lib/deliver/configured/read.ts'
import { daysBeyondRetries } from '../../../../lib/deliver/configured/retention.ts'
import { plainType } from '../../../../lib/webhooks/audit.ts'
import { PROVIDERS, providerOf } from '../../../../lib/webhooks/providers/index.ts'
import { PROVIDER_DAYS, retentionOf } from '../../../../lib/webhooks/retention/retention.ts'

const ACME = { proof: { kind: 'basic' } } as const
const CRM = { to: 'http', url: 'https://crm.example.com/hooks', from: { '*': ['**'] } } as const

const DAYS = 'must be a whole number of days from 7 to 3650'

const problemsOf = (config: object) => readConfig(config).problems ?? []

describe('an event is kept', () => {
  it.each<[string, GatehouseConfig, Readonly<Record<string, number>>]>([
    ['for 90 days by default', {}, { payment: 90, stripe: 90, adyen: 90, 'a-name-of-today': 90, constructor: 90 }],
    [
      'as long as its source configures, or else as long as * configures',
      { retentionDays: { '*': 40, stripe: 30, acme: 400 }, sources: { acme: ACME } },
      { payment: 40, stripe: 30, acme: 400, 'a-name-of-today': 40 },
    ],
    [
      'under * for 31 days at least, unless it comes from a source that is described',
      { retentionDays: { '*': 7 }, sources: { acme: ACME, shop: { preset: 'stripe' } } },
      { stripe: 31, adyen: 31, shop: 31, acme: 7 },
    ],
    [
      'under * longer than a described source repeats an event',
      { sources: { acme: { ...ACME, retryHours: 24 * 90 }, brisk: { ...ACME, retryHours: 1 } } },
      { acme: 91, brisk: 90 },
    ],
    [
      'as long as its source configures, also if the source is a further account of a provider',
      { retentionDays: { '*': 60, shop: 14 }, sources: { shop: { preset: 'stripe' } } },
      { shop: 14, stripe: 60 },
    ],
  ])('%s', (_, config, wanted) => {
    const { daysOf } = retentionOf(config)
    const names = Object.keys(wanted)
    expect(Object.fromEntries(names.map((name) => [name, daysOf(name)]))).toEqual(wanted)
  })

  it.each(Object.keys(PROVIDERS))('longer than its provider repeats it, whatever * says: %s', (name) => {
    expect(daysBeyondRetries(name, new Map())).toBeLessThanOrEqual(PROVIDER_DAYS)
    expect(providerOf(name).retries.horizonSeconds).toBeLessThan(PROVIDER_DAYS * 86_400)
  })
})

describe('an identity is known', () => {
  it.each<[string, GatehouseConfig, number]>([
    ['for 400 days by default', {}, 400],
    ['for as many days as are configured', { dedupeDays: 90 }, 90],
    ['for fewer, if all events end before', { dedupeDays: 40, retentionDays: { '*': 40 } }, 40],
    ['as long as events of any source are kept', { dedupeDays: 90, retentionDays: { '*': 30, stripe: 500 } }, 500],
    ['as long as events of every other source are kept', { retentionDays: { '*': 3650, stripe: 30 } }, 3650],
    ['as long as events of a provider are kept', { dedupeDays: 7, retentionDays: { '*': 7 } }, 31],
    [
      'as long as events of a described source are kept',
      { dedupeDays: 90, sources: { acme: { ...ACME, retryHours: 24 * 90 } } },
      91,
    ],
  ])('%s', (_, config, days) => {
    expect(retentionOf(config).dedupeDays).toBe(days)
  })
})

describe('a retention', () => {
  it.each([[{ '*': 7 }], [{ stripe: 7, payment: 3650, 'order-status': 30, acme: 8 }], [{ adyen: 31 }]])(
    'may be %j',
    (retentionDays) => {
      expect(problemsOf({ retentionDays, sources: { acme: ACME } })).toEqual([])
    },
  )

  it('is reported with all of its errors together, with those of other settings', () => {
    const config = {
      retentionDays: { '*': 6, stripe: 30.5, github: '30', payment: 3651, nobody: null },
      sources: { acme: { proof: { kind: 'none' } } },
    }
    expect(problemsOf(config)).toEqual([
      `retentionDays."*": ${DAYS}`,
      `retentionDays.github: ${DAYS}`,
      `retentionDays.nobody: ${DAYS}`,
      `retentionDays.payment: ${DAYS}`,
      `retentionDays.stripe: ${DAYS}`,
      'sources.acme.proof.kind: must be one of hmac, basic, bearer, token',
    ])
    expect(problemsOf({ retentionDays: 30 })).toEqual(['retentionDays: must be an object'])
  })

  it('names only sources', () => {
    expect(problemsOf({ retentionDays: { nobody: 30 } })).toEqual([
      'retentionDays.nobody: as a name, is none of a source',
    ])
  })

  it('exceeds the repetitions of its provider', () => {
    expect(problemsOf({ retentionDays: { adyen: 30 } })).toEqual([
      'retentionDays.adyen: must be at least 31, because its provider repeats an event as long',
    ])
    const sources = { acme: { ...ACME, retryHours: 240 } }
    expect(problemsOf({ retentionDays: { acme: 10 }, sources })).toEqual([
      'retentionDays.acme: must be at least 11, because its provider repeats an event as long',
    ])
  })

  it('exceeds the deliveries to every destination', () => {
    const destinations = { crm: CRM, slow: { ...CRM, giveUpAfterHours: 336 } }
    expect(problemsOf({ retentionDays: { '*': 14, stripe: 15 }, destinations })).toEqual([
      'retentionDays."*": must be at least 15, because slow is tried as long: giveUpAfterHours',
    ])
  })
})

describe('dedupeDays', () => {
  it.each<[object]>([
    [{ dedupeDays: 90 }],
    [{ dedupeDays: 3650, retentionDays: { stripe: 3650 } }],
    [{ dedupeDays: 400, retentionDays: { '*': 400, stripe: 30 } }],
    [{ dedupeDays: 7, retentionDays: { '*': 7 } }],
  ])('may be as in %j', (config) => {
    expect(problemsOf(config)).toEqual([])
    expect(checkedConfig(config)).toMatchObject(config)
  })

  it.each([6, 3651, 90.5, '400', null])('is from 7 to 3650 days, and whole: not %j', (dedupeDays) => {
    expect(problemsOf({ dedupeDays })).toEqual([`dedupeDays: ${DAYS}`])
  })

  it.each<[object, number]>([
    [{ dedupeDays: 89 }, 90],
    [{ dedupeDays: 89, retentionDays: { stripe: 30 } }, 90],
    [{ dedupeDays: 399, retentionDays: { '*': 30, stripe: 400 } }, 400],
    [{ dedupeDays: 399, retentionDays: { '*': 400 } }, 400],
  ])('is no shorter than any retention: %j', (config, least) => {
    expect(problemsOf(config)).toEqual([`dedupeDays: must be at least ${least}, the longest of retentionDays`])
  })

  it('is absent unless it is given', () => {
    expect(checkedConfig({})).not.toHaveProperty('dedupeDays')
  })
})

describe('the type of an event without its payload', () => {
  it.each(['payment_intent.succeeded', 'com.github.push', 'Order:Paid', 'a/b', 'user-created', 'UNKNOWN'])(
    'stays if it is a name: %s',
    (type) => {
      expect(plainType(type)).toBe(type)
    },
  )

  it.each(['ada@example.com', 'paid by Ada', '', 'x'.repeat(129), 'a\nb', 'päid', '{"a":1}'])(
    'is unknown if it is any other text: %j',
    (type) => {
      expect(plainType(type)).toBe('UNKNOWN')
    },
  )
})
