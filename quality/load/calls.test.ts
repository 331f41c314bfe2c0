import { expect, it } from 'vitest'
import type { Ready } from '../../localstack/ready.ts'
import { kindsFor, rotationOf } from './calls.ts'

const READY = { users: [], webhookSecrets: { stripe: 'secret' } } as unknown as Ready

it('each kind has its share of a hundred calls, and calls of one kind are not consecutive', () => {
  const kinds = kindsFor(READY, 'token', 'run')
  const rotation = rotationOf(kinds)
  expect(rotation).toHaveLength(100)
  for (const { name, share } of kinds) expect(rotation.filter((kind) => kind.name === name)).toHaveLength(share)
  const payments = rotation.flatMap(({ name }, index) => (name === 'payment' ? [index] : []))
  expect(Math.max(...payments.slice(1).map((at, index) => at - (payments[index] ?? 0)))).toBeLessThan(8)
})

it('each call that stores an event names it', () => {
  for (const { make, stores } of kindsFor(READY, 'token', 'run')) {
    if (stores) expect(make(7).body).toContain(stores(7).eventId)
  }
})
