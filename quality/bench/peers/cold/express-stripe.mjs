import process from 'node:process'
import serverlessExpress from '@codegenie/serverless-express'
import express from 'express'
import helmet from 'helmet'
import Stripe from 'stripe'
import { putOnce } from '../shared/put-once.mjs'

const { STRIPE_SECRET } = process.env
const stripe = new Stripe('sk_test_none')
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
  await putOnce(event)
  response.json({ received: true })
})

export const handler = serverlessExpress({ app })
