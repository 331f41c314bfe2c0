import serverlessExpress from '@codegenie/serverless-express'
import { receiver } from '../shared/receiver.mjs'
import { findEvent, putEvent, setStatus, updatePayment } from '../shared/tables.mjs'

/** As tutorials do it: look whether the event is known, keep it, do what it says, note that it is done. */
const app = receiver(async (event) => {
  if (await findEvent(event.id)) return
  await putEvent(event, 'RECEIVED')
  await updatePayment(event)
  await setStatus(event.id, 'PROCESSED')
})

export const handler = serverlessExpress({ app })
