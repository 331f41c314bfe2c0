import { setTimeout as delay } from 'node:timers/promises'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb'
import { expect, it } from 'vitest'
import { freeOffset, type Stack, startStack, temporaryFolder } from '../support/stack.ts'

const KILLS = 5
const SENDERS = 8

interface Sent {
  readonly eventId: string
  readonly transactionId: string
}

/** Posts payments one after the other until the service stops answering; keeps what was acknowledged. */
async function sendUntilDead(http: string, sender: string, acknowledged: Sent[]): Promise<void> {
  for (let index = 0; ; index++) {
    const sent = { eventId: `${sender}-${index}`, transactionId: `${sender}-${index}` }
    const body = JSON.stringify({ ...sent, orderId: 'o', status: 'COMPLETED', currency: 'EUR', amount: 1 })
    try {
      const response = await fetch(`${http}/webhooks/payment`, { method: 'POST', body })
      if (response.ok) acknowledged.push(sent)
      await response.text()
    } catch {
      return
    }
  }
}

async function rows(dynamodb: string, table: string): Promise<Record<string, unknown>[]> {
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      endpoint: dynamodb,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }),
  )
  const items: Record<string, unknown>[] = []
  for await (const page of paginateScan({ client }, { TableName: table })) items.push(...(page.Items ?? []))
  return items
}

it('Q10 kill -9 of the whole tree under load, five times: every acknowledged event is there, none applied twice', async () => {
  const data = temporaryFolder()
  const environment = {
    PORT_OFFSET: String(await freeOffset()),
    DATA_DIR: data.path,
    WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '1000000',
  }
  const acknowledged: Sent[] = []
  let stack: Stack = await startStack(environment)
  for (let round = 0; round < KILLS; round++) {
    const senders = Array.from({ length: SENDERS }, (_, index) =>
      sendUntilDead(stack.ready.http, `r${round}s${index}`, acknowledged),
    )
    await delay(500 + Math.random() * 1000)
    await stack.kill()
    await Promise.all(senders)
    stack = await startStack(environment)
  }
  const events = await rows(stack.ready.dynamodb, 'gatehouse-local-events')
  const payments = await rows(stack.ready.dynamodb, 'gatehouse-local-payments')
  await stack.stop()
  data.remove()

  const stored = new Map(events.map((event) => [event['eventId'], event]))
  expect(acknowledged.length).toBeGreaterThan(KILLS * SENDERS)
  expect(acknowledged.filter(({ eventId }) => !stored.has(eventId))).toEqual([])
  expect(events.filter((event) => event['status'] !== 'PROCESSED')).toEqual([])
  const paid = new Set(payments.map(({ transactionId }) => transactionId))
  expect(payments).toHaveLength(paid.size)
  expect(events.filter((event) => !paid.has(event['eventId']))).toEqual([])
  expect(payments).toHaveLength(events.length)
  console.log(
    `${KILLS} kills, ${acknowledged.length} acknowledged, ${events.length} stored, ${payments.length} applied`,
  )
})
