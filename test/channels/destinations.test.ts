import { expect, it } from 'vitest'
import { DestinationService } from '../../proto/gen/gatehouse/v1/destination_pb.ts'
import { tokenOf } from '../support/accounts.ts'
import { payment, postPayment } from '../support/events.ts'
import { bearerField, callUnary } from '../support/grpc-client.ts'

const { listDestinations, listDeliveries, disableDestination, retryDelivery } = DestinationService.method

const admin = async () => bearerField(await tokenOf('admin'))

it('a service without destinations lists none, and no delivery of an event', async () => {
  const listed = await callUnary(listDestinations, {}, await admin())
  expect([listed.code, listed.messages[0]?.destinations]).toEqual(['OK', []])
  const body = payment()
  await postPayment(body)
  const event = { source: 'payment', eventId: String(body['eventId']) }
  const { code, messages } = await callUnary(listDeliveries, event, await admin())
  expect([code, messages[0]?.deliveries]).toEqual(['OK', []])
})

it('an unknown destination is NOT_FOUND', async () => {
  const disabled = await callUnary(disableDestination, { name: 'crm' }, await admin())
  expect([disabled.code, disabled.rich?.reason]).toEqual(['NOT_FOUND', 'DESTINATION_NOT_FOUND'])
  const order = { source: 'payment', eventId: 'nothing', destination: 'crm' }
  const retried = await callUnary(retryDelivery, order, await admin())
  expect([retried.code, retried.rich?.reason]).toEqual(['NOT_FOUND', 'DESTINATION_NOT_FOUND'])
})
