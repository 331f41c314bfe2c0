import { describe, expect, it } from 'vitest'
import { afterFailure } from '../../../../lib/deliver/breaker.ts'
import { disableDestination, enableDestination } from '../../../../lib/deliver/operators/circuit.ts'
import { listDestinations } from '../../../../lib/deliver/operators/destinations.ts'
import { operatorDesk } from '../../../support/fakes/desk.ts'

const MINUTE = 60_000
const ORDER = { user: 'admin', reason: 'moving house' }
const GONE = { kind: 'failed', answer: '410', isGone: true } as const

const QUIET = {
  state: 'CLOSED',
  since: null,
  by: null,
  reason: null,
  waiting: 0,
  oldestAt: null,
  failures: 0,
  lastDeliveredAt: null,
  lastAnswer: null,
  day: null,
  publicKeys: [],
}

describe('the destinations', () => {
  it('are those of the configuration, with only the host or the ARN of their target', async () => {
    const { parts } = await operatorDesk()
    const listed = await listDestinations(parts)
    expect(listed).toEqual([
      { name: 'crm', to: 'http', target: 'crm.example.com', ...QUIET },
      {
        name: 'bus',
        to: 'eventbridge',
        target: 'arn:aws:events:eu-central-1:000000000000:event-bus/all',
        ...QUIET,
      },
      { name: 'ledger', to: 'sqs', target: 'arn:aws:sqs:eu-central-1:000000000000:ledger', ...QUIET },
    ])
    expect(JSON.stringify(listed)).not.toContain('s3cret')
  })

  it('show the number of waiting deliveries, the oldest time and the last answer', async () => {
    const { parts, clock, add } = await operatorDesk()
    add('crm')
    clock.advance(MINUTE)
    await parts.health.change('crm', (present) => afterFailure(present, { kind: 'failed', answer: '503' }, clock.now()))
    expect((await listDestinations(parts))[0]).toMatchObject({
      waiting: 1,
      oldestAt: '2026-01-02T03:04:05.000',
      failures: 1,
      lastAnswer: { at: '2026-01-02T03:05:05.000', status: null, text: '503' },
    })
  })

  it('exclude removed ones', async () => {
    const { parts } = await operatorDesk()
    await parts.health.change('removed', (present) => ({ ...present, failures: 1 }))
    expect((await listDestinations(parts)).map(({ name }) => name)).toEqual(['crm', 'bus', 'ledger'])
  })
})

describe('an operator', () => {
  it('disables a destination, with a visible reason that is also in the audit trail', async () => {
    const { parts, log } = await operatorDesk()
    const since = '2026-01-02T03:04:05.000'
    const disabled = { name: 'crm', state: 'DISABLED', since, by: 'admin', reason: 'moving house' }
    expect(await disableDestination(parts, 'crm', ORDER)).toMatchObject(disabled)
    expect((await listDestinations(parts))[0]).toMatchObject(disabled)
    expect(log.of('audit')).toEqual([{ decision: 'disabled', destination: 'crm', user: 'admin', note: 'moving house' }])
  })

  it.each([
    ['disabled', disableDestination],
    ['enabled', enableDestination],
  ] as const)('who orders the present state changes nothing: %s', async (decision, order) => {
    const { parts, memory, clock, log } = await operatorDesk()
    await disableDestination(parts, 'crm', ORDER)
    await order(parts, 'crm', ORDER)
    const before = memory.health.get('crm')
    clock.advance(MINUTE)
    await order(parts, 'crm', { user: 'another' })
    expect(memory.health.get('crm')).toEqual(before)
    expect(log.of('audit').filter((line) => line['decision'] === decision)).toHaveLength(1)
  })

  it('enables an automatically disabled destination, and resets its failures', async () => {
    const { parts, clock, log } = await operatorDesk()
    await parts.health.change('crm', (present) => afterFailure(present, GONE, clock.now()))
    expect((await listDestinations(parts))[0]).toMatchObject({ state: 'DISABLED', by: null, reason: '410' })
    const { state, since, by, failures } = await enableDestination(parts, 'crm', { user: 'admin' })
    expect({ state, since, by, failures }).toEqual({ state: 'CLOSED', since: null, by: 'admin', failures: 0 })
    expect(log.of('audit')).toEqual([{ decision: 'enabled', destination: 'crm', user: 'admin' }])
  })

  it('closes an open circuit, and ends the pause of a destination', async () => {
    const { parts, memory, clock } = await operatorDesk()
    const heldUntil = new Date(clock.now().getTime() + MINUTE)
    await parts.health.change('crm', (present) => ({ ...present, state: 'OPEN', probeAt: heldUntil }))
    await parts.health.change('bus', (present) => ({ ...present, heldUntil }))
    await enableDestination(parts, 'crm', ORDER)
    await enableDestination(parts, 'bus', ORDER)
    expect(memory.health.get('crm')).toMatchObject({ state: 'CLOSED', probeAt: undefined })
    expect(memory.health.get('bus')).toMatchObject({ state: 'CLOSED', heldUntil: undefined })
  })

  it.each([['erp'], ['constructor'], ['']])('finds no destination named "%s"', async (name) => {
    const { parts, memory } = await operatorDesk()
    const notFound = { code: 'DESTINATION_NOT_FOUND', status: 404 }
    await expect(enableDestination(parts, name, ORDER)).rejects.toMatchObject(notFound)
    await expect(disableDestination(parts, name, ORDER)).rejects.toMatchObject(notFound)
    expect(memory.health.size).toBe(0)
  })
})
