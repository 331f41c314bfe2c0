import { env } from 'node:process'
import express from 'express'
import Stripe from 'stripe'

const stripe = new Stripe('sk_test_unused')

/** The endpoint as Stripe's documentation shows it; it answers when the work on the event is done. */
export function receiver(work) {
  const app = express()
  app.post('/webhooks/stripe', express.raw({ type: 'application/json' }), async (request, response) => {
    let event
    try {
      event = stripe.webhooks.constructEvent(request.body, request.headers['stripe-signature'], env.STRIPE_SECRET)
    } catch (error) {
      response.status(400).send(`Webhook Error: ${error.message}`)
      return
    }
    await work(event)
    response.json({ received: true })
  })
  return app
}
