import { randomUUID } from 'node:crypto'
import { durationFromMs } from '@bufbuild/protobuf/wkt'
import { DestinationService } from '../../../proto/gen/gatehouse/v1/destination_pb.ts'
import { retryCommand } from '../../contract/requests/retry-command.ts'
import { type CircuitParts, disableDestination, enableDestination } from '../../deliver/operators/circuit.ts'
import { type DeliveryListParts, listDeliveries } from '../../deliver/operators/deliveries.ts'
import { listDestinations } from '../../deliver/operators/destinations.ts'
import { type RedeliveryParts, redeliver } from '../../deliver/operators/redeliver.ts'
import { type TestParts, testDestination } from '../../deliver/operators/test.ts'
import { correlated } from '../../runtime/correlation.ts'
import { type CallContext, callerOf } from '../call.ts'
import { given, readMessage } from '../request.ts'
import { serve } from '../serve.ts'
import { deliveryMessageOf, destinationMessageOf } from './destination-message.ts'
import { type DeathParts, watchDeadDeliveries } from './watch-deaths.ts'

export type DestinationServiceParts = CircuitParts & DeliveryListParts & RedeliveryParts & TestParts & DeathParts

/** Destinations and deliveries for operators. */
export function destinationService(parts: DestinationServiceParts) {
  return serve(DestinationService, {
    async listDestinations() {
      return { destinations: (await listDestinations(parts)).map(destinationMessageOf) }
    },

    async enableDestination({ name, reason }, call) {
      const order = orderOf(call, reason)
      return { destination: destinationMessageOf(await audited(() => enableDestination(parts, name, order))) }
    },

    async disableDestination({ name, reason }, call) {
      const order = orderOf(call, reason)
      return { destination: destinationMessageOf(await audited(() => disableDestination(parts, name, order))) }
    },

    async testDestination({ name }) {
      const { durationMs, ...result } = await audited(() => testDestination(parts, name))
      return { ...result, duration: durationFromMs(durationMs) }
    },

    async listDeliveries({ source, eventId }) {
      return { deliveries: (await listDeliveries(parts, { source, eventId })).map(deliveryMessageOf) }
    },

    async retryDelivery({ source, eventId, destination, reason }, call) {
      const order = orderOf(call, reason)
      const delivery = await audited(() => redeliver(parts, { source, eventId, destination }, order))
      return { delivery: deliveryMessageOf(delivery) }
    },

    watchDeadDeliveries: (_, { signal }) => watchDeadDeliveries(parts, signal()),
  })
}

/** @throws ServiceError `AUTHENTICATION_REQUIRED`, `VALIDATION_FAILED` */
function orderOf(call: CallContext, reason: string) {
  return { user: callerOf(call).username, reason: readMessage(retryCommand, { reason: given(reason) }).reason }
}

/** The lines of the log that a call leaves have one id. */
function audited<T>(work: () => Promise<T>): Promise<T> {
  return correlated({ requestId: randomUUID() }, work)
}
