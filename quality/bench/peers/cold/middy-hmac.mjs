import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import process from 'node:process'
import middy from '@middy/core'
import { answer } from '../shared/middy.mjs'
import { putOnce } from '../shared/tables.mjs'

const { STRIPE_SECRET } = process.env

/** The same without a framework for HTTP and without the provider's library: the least that one writes by hand. */
export const handler = middy()
  .before(({ event: { headers, body } }) => {
    const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['stripe-signature']) ?? []
    const mac = createHmac('sha256', STRIPE_SECRET).update(`${time}.${body}`).digest()
    const isGood = signature !== undefined && timingSafeEqual(Buffer.from(signature, 'hex'), mac)
    return isGood ? undefined : answer(400, { message: 'Invalid signature' })
  })
  .handler(async ({ body }) => {
    await putOnce(JSON.parse(body))
    return answer(200, { received: true })
  })
