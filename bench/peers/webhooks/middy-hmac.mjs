import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import process from 'node:process'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import middy from '@middy/core'

const { STRIPE_SECRET, EVENTS_TABLE } = process.env
const documents = DynamoDBDocumentClient.from(new DynamoDBClient())
const answer = (statusCode, body) => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** The same without a framework for HTTP and without the provider's library: the least that one writes by hand. */
export const handler = middy()
  .before(({ event: { headers, body } }) => {
    const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['stripe-signature']) ?? []
    const mac = createHmac('sha256', STRIPE_SECRET).update(`${time}.${body}`).digest()
    const isGood = signature !== undefined && timingSafeEqual(Buffer.from(signature, 'hex'), mac)
    return isGood ? undefined : answer(400, { message: 'Invalid signature' })
  })
  .handler(async ({ body }) => {
    const event = JSON.parse(body)
    try {
      await documents.send(
        new PutCommand({
          TableName: EVENTS_TABLE,
          Item: { source: 'stripe', eventId: event.id, type: event.type, payload: event, receivedAt: Date.now() },
          ConditionExpression: 'attribute_not_exists(eventId)',
        }),
      )
    } catch (error) {
      if (error.name !== 'ConditionalCheckFailedException') throw error
    }
    return answer(200, { received: true })
  })
