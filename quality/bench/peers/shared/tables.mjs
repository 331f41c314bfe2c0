import process from 'node:process'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'

const documents = DynamoDBDocumentClient.from(new DynamoDBClient())

/** The tables, by what they hold. */
export const TABLES = { events: 'bench-events', payments: 'bench-payments', idempotency: 'bench-idempotency' }

/** Puts an event of Stripe, once, as AWS's documentation shows it. */
export async function putOnce(event) {
  const put = new PutCommand({
    TableName: process.env.EVENTS_TABLE,
    Item: { source: 'stripe', eventId: event.id, type: event.type, payload: event, receivedAt: Date.now() },
    ConditionExpression: 'attribute_not_exists(eventId)',
  })
  await documents.send(put).catch((error) => {
    if (error.name !== 'ConditionalCheckFailedException') throw error
  })
}

export async function findEvent(id) {
  const { Item } = await documents.send(new GetCommand({ TableName: TABLES.events, Key: { id } }))
  return Item
}

export async function putEvent(event, status) {
  const receivedAt = new Date().toISOString()
  const item = { id: event.id, type: event.type, status, receivedAt, payload: JSON.stringify(event) }
  await documents.send(new PutCommand({ TableName: TABLES.events, Item: item }))
}

export async function setStatus(id, status) {
  const update = new UpdateCommand({
    TableName: TABLES.events,
    Key: { id },
    UpdateExpression: 'SET #status = :status, processedAt = :now',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':status': status, ':now': new Date().toISOString() },
  })
  await documents.send(update)
}

/** What the events of a payment intent say of it. */
export async function updatePayment({ type, data }) {
  const { id, amount_received, currency, metadata } = data.object
  const update = new UpdateCommand({
    TableName: TABLES.payments,
    Key: { id },
    UpdateExpression: 'SET #status = :status, orderId = :orderId, amount = :amount, currency = :currency',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':status': type === 'payment_intent.succeeded' ? 'COMPLETED' : 'FAILED',
      ':orderId': metadata.orderId,
      ':amount': amount_received,
      ':currency': currency,
    },
  })
  await documents.send(update)
}
