import process from 'node:process'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import serverlessExpress from '@codegenie/serverless-express'
import express from 'express'
import helmet from 'helmet'
import Stripe from 'stripe'

const { STRIPE_SECRET, EVENTS_TABLE } = process.env
const stripe = new Stripe('sk_test_none')
const documents = DynamoDBDocumentClient.from(new DynamoDBClient())
const app = express()
app.use(helmet())
app.post('/webhooks/stripe', express.raw({ type: 'application/json' }), async (request, response) => {
  let event
  try {
    event = stripe.webhooks.constructEvent(request.body, request.headers['stripe-signature'], STRIPE_SECRET)
  } catch {
    response.status(400).json({ message: 'Invalid signature' })
    return
  }
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
  response.json({ received: true })
})

export const handler = serverlessExpress({ app })
