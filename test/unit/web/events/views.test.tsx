import { renderToString } from 'preact-render-to-string'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { ShownDelivery } from '../../../../web/events/calls.ts'
import type { EventDetail } from '../../../../web/events/record.ts'
import { detail, move } from './details.ts'

const MARKUP = '</pre></span><script>alert(1)</script><img src=x onerror="alert(2)">'

/** The modules, as a page at this address loads them. */
async function load() {
  vi.resetModules()
  vi.stubGlobal('location', { pathname: '/console/webhooks', search: '?status=PROCESSED&event=payment/event-1' })
  vi.stubGlobal('history', { state: null })
  vi.stubGlobal('document', { getElementById: () => ({ textContent: '{"demoUsers":[]}' }) })
  vi.stubGlobal('localStorage', { getItem: () => null })
  const [overview, attempts, headers, deliveries, why] = await Promise.all([
    import('../../../../web/events/overview.tsx'),
    import('../../../../web/events/attempts.tsx'),
    import('../../../../web/events/headers.tsx'),
    import('../../../../web/events/deliveries.tsx'),
    import('../../../../web/events/why.tsx'),
  ])
  return { ...overview, ...attempts, ...headers, ...deliveries, ...why }
}

let views: Awaited<ReturnType<typeof load>>
beforeAll(async () => {
  views = await load()
})

const reread = async () => {}
const DELIVERY: ShownDelivery = {
  destination: 'crm',
  status: 'DELIVERED',
  attempts: 1,
  dueAt: null,
  deliveredAt: '2026-01-02T03:00:00.000',
  answer: '200',
  history: [{ at: '2026-01-02T03:00:00.000', status: 'DELIVERED', answer: '200', user: null, reason: null }],
}

const overviewOf = (changes: Partial<EventDetail>) =>
  renderToString(<views.Overview event={detail(changes)} deliveries={[]} />)

describe('C02 foreign markup is shown as text', () => {
  const event = detail({
    errorMessage: MARKUP,
    outcome: MARKUP,
    headers: { 'x-a': MARKUP },
    history: [move(0, 'FAILED', 'intake', MARKUP), move(1, 'FAILED', `operator admin: ${MARKUP}`)],
  })
  it.each([
    ['the overview', () => <views.Overview event={event} deliveries={[{ ...DELIVERY, answer: MARKUP }]} />],
    ['the attempts', () => <views.Attempts event={event} />],
    ['the headers', () => <views.HeaderTable event={event} />],
    [
      'the deliveries',
      () => <views.DeliveryList event={event} deliveries={[{ ...DELIVERY, answer: MARKUP }]} reread={reread} />,
    ],
  ])('in %s', (_, view) => {
    const html = renderToString(view())
    expect(html).toContain('alert(1)')
    expect(html).not.toMatch(/<script|<img/)
  })
})

describe('the overview', () => {
  it('links to the possible original of a duplicate, and keeps the filter', () => {
    const html = overviewOf({ source: 'shopify', possibleDuplicateOf: 'a/b' })
    expect(html).toContain('href="/console/webhooks?status=PROCESSED&amp;event=shopify%2Fa%2Fb"')
  })

  it.each([
    [1, 'at least once'],
    [3, 'at least 3 times'],
  ])('states that another content had its id: %i', (count, words) => {
    const html = overviewOf({ idConflict: { count, lastAt: '2026-01-02T03:04:05.000' } })
    expect(html).toContain(`Another content came under this id ${words}`)
  })

  it('has no row for a missing value', () => {
    expect(overviewOf({})).not.toMatch(/Looks like|Id conflict|Outcome|Next attempt/)
  })

  it('states that an event was late', () => {
    expect(
      overviewOf({
        proof: { level: 'full', typeSigned: true, idSigned: true, key: null, signedAt: null, stale: true },
      }),
    ).toContain('Came late')
  })
})

it('shows an order of an operator as a request, with its reason', () => {
  const event = detail({ history: [move(0, 'FAILED', 'operator admin: open again')] })
  const html = renderToString(<views.Attempts event={event} />)
  expect(html).toContain('Retry requested by admin')
  expect(html).toContain('open again')
  expect(html).not.toContain('Failed by')
})

describe('the headers', () => {
  it('mark the one that the signature check used, although it is not stored', () => {
    const proof = { level: 'full', typeSigned: true, idSigned: true, key: null, signedAt: null } as const
    const event = detail({ source: 'stripe', headers: { 'content-type': 'application/json' }, proof })
    const html = renderToString(<views.HeaderTable event={event} />)
    expect(html).toMatch(/stripe-signature.*used by the signature check, not stored/)
  })

  it('mark none without a check', () => {
    expect(renderToString(<views.HeaderTable event={detail({ source: 'stripe' })} />)).toContain('None were kept.')
  })

  it('are removed with the payload', () => {
    const event = detail({ payload: null, payloadDeletedAt: '2026-01-02T03:04:05.000' })
    expect(renderToString(<views.HeaderTable event={event} />)).toContain('deleted with the payload')
  })
})

describe('the deliveries', () => {
  const cards = (changes: Partial<ShownDelivery>, event = detail()) =>
    renderToString(<views.DeliveryList event={event} deliveries={[{ ...DELIVERY, ...changes }]} reread={reread} />)

  it.each([
    ['DELIVERED', 'Delivered', 'Deliver again'],
    ['DEAD', 'Failed', 'Retry now'],
    ['PARKED', 'Paused', 'Retry now'],
    ['PENDING', 'Waiting', 'Retry now'],
  ] as const)('that are %s state this, and can be ordered again', (status, word, button) => {
    expect(cards({ status })).toContain(word)
    expect(cards({ status })).toContain(button)
  })

  it('under way, or without a payload, cannot be ordered', () => {
    expect(cards({ status: 'SENDING' })).not.toContain('<button')
    expect(cards({}, detail({ payloadDeletedAt: '2026-01-02T03:04:05.000' }))).not.toContain('<button')
  })

  it('name the operator who ordered them', () => {
    const history = DELIVERY.history.map((move) => ({
      ...move,
      status: 'PENDING' as const,
      user: 'ada',
      reason: 'mended',
    }))
    expect(cards({ history })).toMatch(/Retry requested by ada.*mended/s)
  })

  it('can be empty', () => {
    const html = renderToString(<views.DeliveryList event={detail()} deliveries={[]} reread={reread} />)
    expect(html).toContain('No destination takes this event.')
  })
})

describe('the checks of a signature', () => {
  const why = (changes: Partial<EventDetail>) => renderToString(<views.Why event={detail(changes)} />)

  it('are listed, each with its result', () => {
    const proof = {
      level: 'full',
      typeSigned: true,
      idSigned: true,
      key: 'stripe#1',
      signedAt: '2026-01-02T03:04:04.000Z',
    } as const
    const html = why({ source: 'stripe', proof })
    expect(html).toMatch(
      /Rate.*Signature read.*Stripe-Signature.*Key.*stripe#1.*Signature.*Age.*1 s old at receipt.*New/s,
    )
    expect(html).toContain('4 of 5 are proven.')
  })

  it('are missing if no signature was checked', () => {
    const html = why({})
    expect(html).toContain('0 of 5 are proven.')
    expect(html).toContain('not checked')
    expect(html).not.toContain('What was signed')
  })

  it('state that the clock of a sender is ahead', () => {
    const proof = {
      level: 'full',
      typeSigned: true,
      idSigned: true,
      key: null,
      signedAt: '2026-01-02T03:04:06.000Z',
    } as const
    expect(why({ proof })).toContain('signed 1 s after our clock')
  })
})
