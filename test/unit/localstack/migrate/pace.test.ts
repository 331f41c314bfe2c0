import { ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { expect, it } from 'vitest'
import type { Documents } from '../../../../lib/adapters/dynamodb/client.ts'
import { pacedBy } from '../../../../localstack/migrate/pace.ts'
import { fixedClock } from '../../../support/fakes/clock.ts'

/** Requests of which each costs so many units, and what they were asked with. */
function costing(units: number) {
  const asked: unknown[] = []
  const send = async ({ input }: { readonly input: object }) => {
    asked.push(input)
    return { ConsumedCapacity: { CapacityUnits: units } }
  }
  return { documents: { send } as unknown as Documents, asked }
}

const write = () => new UpdateCommand({ TableName: 'events', Key: {} })

function paced(rate: number, units: number) {
  const clock = fixedClock()
  const slept: number[] = []
  const sleep = async (milliseconds: number) => {
    slept.push(milliseconds)
    clock.advance(milliseconds)
  }
  const { documents, asked } = costing(units)
  return { ...pacedBy(rate, documents, { clock, sleep }), clock, slept, asked }
}

it('waits as long as the written units take at the rate', async () => {
  const { documents, pace, slept, asked } = paced(10, 4)
  for (let count = 0; count < 5; count++) await documents.send(write())
  await pace()
  expect(slept).toEqual([2000])
  expect(asked).toContainEqual({ TableName: 'events', Key: {}, ReturnConsumedCapacity: 'TOTAL' })
})

it('counts the time that has passed, and saves none up', async () => {
  const { documents, pace, slept, clock } = paced(10, 10)
  await documents.send(write())
  await pace()
  clock.advance(60_000)
  await documents.send(write())
  await pace()
  expect(slept).toEqual([1000, 1000])
})

it('reads cost nothing', async () => {
  const { documents, pace, slept } = paced(10, 100)
  await documents.send(new ScanCommand({ TableName: 'events' }))
  await pace()
  expect(slept).toEqual([])
})
