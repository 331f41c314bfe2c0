import { env } from 'node:process'
import express from 'express'
import Stripe from 'stripe'

const stripe = new Stripe('sk_test_unused')

/** The endpoint as Stripe's documentation shows it; it answers when the event is kept. */
export function receive(keep) {
  const app = express()
  app.post('/webhooks/stripe', express.raw({ type: 'application/json' }), async (request, response) => {
    let event
    try {
      event = stripe.webhooks.constructEvent(request.body, request.headers['stripe-signature'], env.STRIPE_SECRET)
    } catch (error) {
      response.status(400).send(`Webhook Error: ${error.message}`)
      return
    }
    await keep(event)
    response.json({ received: true })
  })
  app.listen(Number(env.PORT), '127.0.0.1')
}

/** Hands an event on. */
export async function deliver(event) {
  const headers = { 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(15_000)
  const response = await fetch(env.TARGET, { method: 'POST', headers, body: JSON.stringify(event), signal })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${env.TARGET} answers ${response.status}`)
}
