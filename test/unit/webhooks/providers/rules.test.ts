import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { PROVIDERS } from '../../../../lib/webhooks/providers/index.ts'
import type { SignedCall } from '../../../../lib/webhooks/schemes/scheme.ts'
import { sourceOf } from '../../../../lib/webhooks/sources/catalog.ts'
import { trustStored } from '../../../../lib/webhooks/verify.ts'
import type { ProvenCall } from '../../../../localstack/senders/prove.ts'
import { IS_FULL } from '../../../support/full-runs.ts'
import { type Receiver, receiverFor, sentHeaders } from '../../../support/webhook-receiver.ts'
import { callOf, rows } from './row-calls.ts'
import type { Replay, Row, Step } from './rules.ts'

/** A receiver that has the first call of a row. */
async function receiverOf(row: Row): Promise<{ readonly receiver: Receiver; readonly call: ProvenCall }> {
  const receiver = receiverFor(row.name)
  const call = callOf(row)
  expect(await receiver.receive(call)).toBe('stored')
  return { receiver, call }
}

async function follow(row: Row, step: Step): Promise<string> {
  const { receiver } = await receiverOf(row)
  receiver.clock.advance((step.after ?? 0) * 1000)
  return receiver.receive(callOf(row, step))
}

async function replay(row: Row, { after = 0, headers, bytes, query = '' }: Replay): Promise<string> {
  const { receiver, call } = await receiverOf(row)
  receiver.clock.advance(after * 1000)
  const body = Buffer.from(bytes?.(call.body) ?? call.body)
  return receiver.receive({ ...call, url: call.url + query, headers: { ...call.headers, ...headers }, body })
}

it('every provider has a row', () => {
  const named = new Set([...rows.map(([, { name }]) => name), 'generic'])
  expect(Object.keys(PROVIDERS).filter((name) => !named.has(name))).toEqual([])
})

describe('the rule and the proof of', () => {
  it.each(rows)('%s', async (_, row) => {
    const { receiver, call } = await receiverOf(row)
    const { identity } = sourceOf(row.name).read({ ...call, body: trustStored(call.body) })
    expect(identity.rule).toBe(row.rule)
    const [event] = receiver.events()
    const { level, unsigned = level === 'token' ? ['type', 'id'] : [] } = row
    const signed = { typeSigned: !unsigned.includes('type'), idSigned: !unsigned.includes('id') }
    expect(event?.proof).toEqual({ level, key: `${row.name}#1`, signedAt: call.proven?.signedAt, ...signed })
    expect(event?.payload.equals(call.body)).toBe(true)
  })
})

describe('a new event is stored, even with the same bytes if its sender can send them', () => {
  it.each(rows)('%s', async (_, row) => {
    expect(await follow(row, row.other)).toBe(row.other.gives ?? 'stored')
  })
})

describe('a retry is', () => {
  const cases = rows.flatMap(([name, row]) =>
    Object.entries(row.retries).map(([what, step]) => [step.gives ?? 'duplicate', name, what, row, step] as const),
  )

  it.each(cases)('%s: %s, %s', async (wanted, _name, _what, row, step) => {
    expect(await follow(row, step)).toBe(wanted)
  })
})

describe('W17, W22 a call that is sent again without the secret, with changed unsigned parts, is', () => {
  const cases = rows.flatMap(([name, row]) =>
    Object.entries(row.replays ?? {}).map(([what, how]) => [how.gives ?? 'duplicate', name, what, row, how] as const),
  )

  it.each(cases)('%s: %s, %s', async (wanted, _name, _what, row, how) => {
    expect(await replay(row, how)).toBe(wanted)
  })
})

describe('W17 with any of its headers changed or omitted, and with a query, a call is never a second event', () => {
  /** The headers that the call does not need to be accepted. */
  async function freeHeaders({ name }: Row, call: SignedCall): Promise<readonly string[]> {
    const free: string[] = []
    for (const header of Object.keys(call.headers)) {
      const status = await receiverFor(name).answer({ ...call, headers: { ...call.headers, [header]: undefined } })
      if (status === 200) free.push(header)
    }
    return free
  }

  type Changes = Record<string, string | undefined>

  const all = (headers: readonly string[], value?: string): Changes =>
    Object.fromEntries(headers.map((header) => [header, value]))

  /** None, each and all of them. */
  function some(headers: readonly string[]): readonly Changes[] {
    const sets = [[], ...headers.map((header) => [header]), headers]
    return sets.flatMap((set) => [all(set, 'other'), all(set)])
  }

  function product(headers: readonly string[]): readonly Changes[] {
    return headers.reduce<readonly Changes[]>(
      (made, header) => made.flatMap((one) => [one, { ...one, [header]: 'other' }, { ...one, [header]: undefined }]),
      [{}],
    )
  }

  const choices = IS_FULL ? product : some

  it.each(rows)('%s', async (_, row) => {
    const call = callOf(row)
    const free = await freeHeaders(row, call)
    for (const changed of choices(free)) {
      for (const query of ['', '?a=1']) {
        const receiver = receiverFor(row.name)
        await receiver.receive(call)
        const headers = sentHeaders({ ...call.headers, ...changed })
        const again = () => receiver.receive({ ...call, url: call.url + query, headers })
        const told = JSON.stringify([changed, query], (_key, value) => value ?? 'none')
        expect(await again(), told).not.toBe('stored')
        receiver.clock.advance(30 * 86_400_000)
        if (!row.forgetsAfter) expect(await again(), told).not.toBe('stored')
      }
    }
  })
})

describe('W17 a call that comes again after its event has ended is never a second event', () => {
  it.each(rows.filter(([, { forgetsAfter }]) => forgetsAfter === undefined))('%s', async (_, row) => {
    const { receiver, call } = await receiverOf(row)
    for (const days of [91, 308]) {
      receiver.clock.advance(days * 86_400_000)
      expect(['duplicate', 'refused'], `${days} days`).toContain(await receiver.receive(call))
    }
  })
})
