import serverlessExpress, { getCurrentInvoke } from '@codegenie/serverless-express'
import express from 'express'
import { Stripe } from 'stripe'

/** Express and the library of Stripe, as its documentation shows them; what an event does is given. */
export function webhook(work) {
  const app = express()
  app.post('/webhooks/stripe', express.raw({ type: 'application/json' }), async (request, response) => {
    let event
    try {
      event = Stripe.webhooks.constructEvent(
        request.body,
        request.headers['stripe-signature'],
        process.env.STRIPE_SECRET,
      )
    } catch {
      response.status(400).send('Webhook signature verification failed')
      return
    }
    await work(event, getCurrentInvoke().context)
    response.json({ received: true })
  })
  return serverlessExpress({ app })
}
