import { findEvent, putEvent, setStatus, updatePayment } from '../shared/tables.mjs'
import { webhook } from '../shared/webhook.mjs'

/** As tutorials do it: look whether the event is known, keep it, do what it says, note that it is done. */
export const handler = webhook(async (event) => {
  if (await findEvent(event.id)) return
  await putEvent(event, 'RECEIVED')
  await updatePayment(event)
  await setStatus(event.id, 'PROCESSED')
})
