import process from 'node:process'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'

const { EVENTS_TABLE } = process.env
const documents = DynamoDBDocumentClient.from(new DynamoDBClient())

/** Puts an event of Stripe, once, as AWS's documentation shows it. */
export async function putOnce(event) {
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
}
