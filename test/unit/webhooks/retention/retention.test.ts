import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../../lib/deliver/configured/read.ts'
import { longestDaysOf } from '../../../../lib/webhooks/retention/longest.ts'
import { plainType } from '../../../../lib/webhooks/retention/plain-type.ts'
import { retentionOf } from '../../../../lib/webhooks/retention/retention.ts'

const ACME = { proof: { kind: 'basic' } } as const
const CRM = { to: 'http', url: 'https://crm.example.com/hooks', from: { '*': ['**'] } } as const

const problemsOf = (config: object) => readConfig(config).problems ?? []

describe('a payload is kept', () => {
  it('for 90 days by default', () => {
    const { daysOf, spans } = retentionOf({})
    expect(['payment', 'stripe', 'a-name-of-today', '__proto__'].map(daysOf)).toEqual([90, 90, 90, 90])
    expect(spans).toEqual([90])
  })

  it('as long as its source configures, or else as long as * configures', () => {
    const { daysOf, spans } = retentionOf({
      retentionDays: { '*': 40, stripe: 30, acme: 400 },
      sources: { acme: ACME },
    })
    expect(['payment', 'stripe', 'acme', 'a-name-of-today'].map(daysOf)).toEqual([40, 30, 400, 40])
    expect(spans).toEqual([30, 40, 400])
  })

  it('under * longer than its provider repeats an event', () => {
    const { daysOf, spans } = retentionOf({ retentionDays: { '*': 7 } })
    expect(['payment', 'adyen'].map(daysOf)).toEqual([7, 31])
    expect(spans).toContain(31)
  })

  it('under * longer than a configured source repeats an event', () => {
    const sources = { acme: { ...ACME, retryHours: 24 * 90 }, brisk: { ...ACME, retryHours: 1 } }
    const { daysOf } = retentionOf({ sources })
    expect(['acme', 'brisk'].map(daysOf)).toEqual([91, 90])
  })

  it('and its parts expire no earlier than that', () => {
    for (const config of [{}, { retentionDays: { '*': 7, stripe: 8 } }, { retentionDays: { '*': 3650 } }]) {
      const { daysOf } = retentionOf(config)
      const longest = longestDaysOf(config)
      for (const source of ['stripe', 'adyen', 'unknown', '__proto__']) {
        expect(longest(source)).toBeGreaterThanOrEqual(daysOf(source))
      }
    }
  })

  it('with a mark that differs for every other retention, in any order of names', () => {
    const marks = [{}, { stripe: 30 }, { github: 30 }, { '*': 30 }, { stripe: 30, github: 30 }].map(
      (retentionDays) => retentionOf({ retentionDays }).mark,
    )
    expect(new Set(marks).size).toBe(marks.length)
    expect(retentionOf({ retentionDays: { github: 30, stripe: 30 } }).mark).toBe(marks.at(-1))
  })
})

describe('a retention', () => {
  it.each([[{ '*': 7 }], [{ stripe: 7, payment: 3650, 'order-status': 30, acme: 8 }], [{ adyen: 31 }]])(
    'may be %j',
    (retentionDays) => {
      expect(problemsOf({ retentionDays, sources: { acme: ACME } })).toEqual([])
    },
  )

  const DAYS = 'must be a whole number of days from 7 to 3650'

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
