import { handler } from 'gatehouse'

export const on = ['greeting']

/** Runs for each greeting of the source `demo`, and again later if it throws. */
export default handler(({ json, eventId }, { log }) => {
  if (json.type !== 'greeting') throw new TypeError('this is no greeting')
  log.info('greeted', { eventId })
})
