import { handler } from 'gatehouse'

export const on = ['PAYMENT']

/** Thanks a customer for a payment that came in, once for each event. */
export default handler(({ json }, { log, idempotencyKey }) => {
  if (json.status !== 'COMPLETED') return
  // Your mail service goes here. Give it the key: it lets the second call of a try that came twice pass without a mail.
  log.info('the customer is thanked', { order: json.orderId, idempotencyKey })
})
