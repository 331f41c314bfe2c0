import { describe, expect, it } from 'vitest'
import { orderQuery, paymentQuery } from '../../../../lib/contract/requests/payments.ts'
import { ORDER_STATUSES } from '../../../../lib/orders/order.ts'
import { RANK } from '../../../../lib/payments/payment.ts'
import { firstIdAt } from '../../../../lib/runtime/ids.ts'
import {
  byChange,
  type ChangedRows,
  changedCursor,
  hasValues,
  listChanged,
  listPayments,
  type MadePayment,
} from '../../../../lib/webhooks/operators/changed.ts'
import { START } from '../../../support/fakes/clock.ts'

const PLACE = { changeId: 2n ** 63n - 1n, key: 'ü/..' }

function madePayment(number: number, changes: Partial<MadePayment> = {}): MadePayment {
  const cause = {
    source: 'payment',
    eventId: `a/b ${number}`,
    eventType: 'PAYMENT',
    outcome: 'applied',
    at: START,
  } as const
  const payment = { transactionId: `tx-${number}`, status: 'COMPLETED', currency: 'EUR' } as const
  return { ...payment, id: 7n, changeId: firstIdAt(START.getTime()) - BigInt(number), events: [cause], ...changes }
}

/** Rows in their order, without any filter. */
function rowsOf(rows: readonly MadePayment[]): ChangedRows<MadePayment> {
  const all = rows.map((row) => ({ row, at: { changeId: row.changeId, key: row.transactionId } }))
  return {
    find: async (key) => rows.find(({ transactionId }) => transactionId === key),
    page: async (_filter, after, limit) => {
      const left = all.filter(({ at }) => after === undefined || byChange(at, after) > 0)
      const found = left.slice(0, limit)
      return { found, next: left.length > limit ? found.at(-1)?.at : undefined }
    },
  }
}

describe('a page of changed rows', () => {
  it('shows absent values as null, times in UTC, and a path for each event', async () => {
    const { payments, nextCursor } = await listPayments(rowsOf([madePayment(0)]), { limit: 1 })
    const empty = { orderId: null, customerId: null, amount: null }
    expect(payments).toMatchObject([{ ...empty, id: '7', updatedAt: START.toISOString().slice(0, -1) }])
    expect(payments[0]?.events[0]?.href).toBe('/api/webhooks/events/payment/a%2Fb%200')
    expect(nextCursor).toBeNull()
  })

  it('ends before it exceeds the limit of Lambda, and continues after its last row', async () => {
    const rows = Array.from({ length: 9 }, (_, number) => madePayment(number, { customerId: 'x'.repeat(600_000) }))
    const found: string[] = []
    let cursor: string | undefined
    do {
      const page = await listPayments(rowsOf(rows), { limit: 200, cursor })
      expect(page.payments.length).toBeLessThanOrEqual(3)
      found.push(...page.payments.map(({ transactionId }) => transactionId))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(found).toEqual(rows.map(({ transactionId }) => transactionId))
  })

  it('has at least one row, of any length', async () => {
    const rows = [madePayment(0, { customerId: 'x'.repeat(3_000_000) }), madePayment(1)]
    expect((await listPayments(rowsOf(rows), { limit: 2 })).payments.length).toBe(1)
  })

  it('of one key has that row if it matches the rest', async () => {
    const request = { key: 'tx-1', limit: 1, cursor: undefined }
    const rows = rowsOf([madePayment(1)])
    const show = ({ transactionId }: MadePayment) => transactionId
    const asked = async (filter: Record<string, string>) =>
      (await listChanged(rows.find, rows.page, { ...request, filter }, show)).rows
    expect(await asked({ status: 'COMPLETED' })).toEqual(['tx-1'])
    expect(await asked({ status: 'FAILED' })).toEqual([])
  })

  it('of a text begins with the row of that key, however old, and shows it once', async () => {
    const rows = rowsOf([madePayment(0), madePayment(1), madePayment(2)])
    const found: string[][] = []
    let cursor: string | undefined
    do {
      const { payments, nextCursor } = await listPayments(rows, { q: 'tx-2', limit: 1, cursor })
      found.push(payments.map(({ transactionId }) => transactionId))
      cursor = nextCursor ?? undefined
    } while (cursor)
    expect(found).toEqual([['tx-2', 'tx-0'], ['tx-1'], []])
    expect((await listPayments(rows, { q: 'tx-2', status: 'FAILED', limit: 9 })).payments).toHaveLength(2)
  })

  it('refuses a cursor of another filter', async () => {
    const cursor = changedCursor.of({ status: 'FAILED' }, PLACE)
    await expect(listPayments(rowsOf([]), { limit: 1, cursor })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })
})

it('matches no filter by an inherited value', () => {
  expect(hasValues({}, { constructor: 'Object' })).toBe(false)
  expect(hasValues({ status: 'FAILED' }, { status: undefined })).toBe(true)
})

it('has a query for each stored status', () => {
  for (const status of Object.keys(RANK)) expect(paymentQuery.parse({ status })).toMatchObject({ status })
  for (const status of ORDER_STATUSES) expect(orderQuery.parse({ status })).toMatchObject({ status })
})
