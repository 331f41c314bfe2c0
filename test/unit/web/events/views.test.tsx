import { renderToString } from 'preact-render-to-string'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { ShownDelivery } from '../../../../web/events/calls.ts'
import type { EventDetail } from '../../../../web/events/record.ts'
import { detail, move } from './details.ts'

const MARKUP = '</pre></span><script>alert(1)</script><img src=x onerror="alert(2)">'

/** The modules, as a page at this address loads them. */
async function load() {
  vi.resetModules()
  vi.stubGlobal('location', {
    origin: 'http://localhost',
    pathname: '/console/webhooks',
    search: '?status=PROCESSED&event=payment/event-1',
  })
  vi.stubGlobal('history', { state: null })
  vi.stubGlobal('document', { getElementById: () => ({ textContent: '{"demoUsers":[]}' }) })
  vi.stubGlobal('localStorage', { getItem: () => null })
  const [overview, attempts, headers, deliveries, proof] = await Promise.all([
    import('../../../../web/events/overview.tsx'),
    import('../../../../web/events/attempts.tsx'),
    import('../../../../web/events/headers.tsx'),
    import('../../../../web/events/deliveries.tsx'),
    import('../../../../web/events/proof-view.tsx'),
  ])
  return { ...overview, ...attempts, ...headers, ...deliveries, ...proof }
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
  history: [
    {
      ...{ at: '2026-01-02T03:00:00.000', status: 'DELIVERED', attempt: 1, replayId: null, user: null, reason: null },
      ...{ ms: 12, error: null },
      request: { method: 'POST', url: 'https://crm/…', headers: {}, body: null, encoding: 'utf8', truncated: true },
      answer: { status: 200, headers: { 'x-a': MARKUP }, body: MARKUP, encoding: 'utf8', truncated: false },
    },
  ],
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
      () => (
        <views.DeliveryList others={[]} event={event} deliveries={[{ ...DELIVERY, answer: MARKUP }]} reread={reread} />
      ),
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
    renderToString(
      <views.DeliveryList others={[]} event={event} deliveries={[{ ...DELIVERY, ...changes }]} reread={reread} />,
    )

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

  it('name what keeps the event from other destinations', () => {
    const others = [
      { destination: 'erp', unmet: ['where.json.a', 'where.type'] },
      { destination: 'crm', unmet: [] },
    ]
    const html = renderToString(<views.DeliveryList others={others} event={detail()} deliveries={[]} reread={reread} />)
    expect(html).toContain('<b>erp</b> does not get it: where.json.a, where.type does not match.')
    expect(html).toContain('<b>crm</b> had no delivery, but would get it as it is configured now.')
  })

  it('can be empty', () => {
    const html = renderToString(<views.DeliveryList others={[]} event={detail()} deliveries={[]} reread={reread} />)
    expect(html).toContain('No destination takes this event.')
  })
})

describe('the proof of an event', () => {
  const proofOf = (changes: Partial<EventDetail>) => renderToString(<views.ProofView event={detail(changes)} />)
  const signedAt = (at: string) =>
    ({ level: 'full', typeSigned: true, idSigned: true, key: 'stripe#1', signedAt: at }) as const
  /** The texts that are marked as signed. */
  const marked = (html: string) =>
    Array.from(html.matchAll(/<mark[^>]*>(.*?)<\/mark>/gs), ([, text = '']) => text.replace(/<[^>]*>/g, ''))

  it('marks what is signed, and nothing else', () => {
    const html = proofOf({ source: 'stripe', proof: signedAt('2026-01-02T03:04:04.000Z') })
    expect(marked(html)).toEqual(['event-1', '2026-01-02T03:04:04.000Z', '{&quot;a&quot;:1}'])
    expect(html).toMatch(/Address: .*\/webhooks\/stripe.* \(not signed\)/s)
    expect(html).toMatch(/Stripe-Signature.*stripe#1.*1 s before receipt/s)
  })

  it.each([
    ['none', 'stripe', []],
    ['token', 'telegram', []],
    ['body', 'square', ['/webhooks/square', '{&quot;a&quot;:1}']],
  ] as const)('of the level %s of %s marks %j', (level, source, parts) => {
    const proof = { level, typeSigned: false, idSigned: false, key: null, signedAt: null }
    expect(marked(proofOf({ source, proof }))).toEqual(parts)
  })

  it('says that the clock of a sender is ahead', () => {
    expect(proofOf({ proof: signedAt('2026-01-02T03:04:06.000Z') })).toContain('1 s after our clock')
  })

  it('has no command to repeat a check that did not take place, or whose bytes are gone', () => {
    const proof = signedAt('2026-01-02T03:04:04.000Z')
    expect(proofOf({ source: 'stripe', proof })).toContain('explain stripe /dev/stdin')
    expect(proofOf({ source: 'stripe', proof, payloadDeletedAt: '2026-01-03T00:00:00.000' })).not.toContain('explain')
    expect(proofOf({ source: 'stripe' })).not.toContain('explain')
  })
})
