import { durationFromMs } from '@bufbuild/protobuf/wkt'
import { DestinationService } from '../../../proto/gen/gatehouse/v1/destination_pb.ts'
import { retryCommand } from '../../contract/requests/retry-command.ts'
import { type CircuitParts, disableDestination, enableDestination } from '../../deliver/operators/circuit.ts'
import { type DeliveryListParts, listDeliveries } from '../../deliver/operators/deliveries.ts'
import { listDestinations } from '../../deliver/operators/destinations.ts'
import { type RedeliveryParts, redeliver } from '../../deliver/operators/redeliver.ts'
import { type TestParts, testDestination } from '../../deliver/operators/test.ts'
import type { Trail } from '../../trail/entry.ts'
import { type CallContext, callerOf } from '../call.ts'
import { changing } from '../recorded.ts'
import { given, readMessage } from '../request.ts'
import { serve } from '../serve.ts'
import { deliveryMessageOf, destinationMessageOf } from './destination-message.ts'
import { type DeathParts, watchDeadDeliveries } from './watch-deaths.ts'

export type DestinationServiceParts = CircuitParts &
  DeliveryListParts &
  RedeliveryParts &
  TestParts &
  DeathParts & { readonly trail: Trail }

/** Destinations and deliveries for operators. */
export function destinationService(parts: DestinationServiceParts) {
  const { trail } = parts
  return serve(DestinationService, {
    async listDestinations() {
      return { destinations: (await listDestinations(parts)).map(destinationMessageOf) }
    },

    async enableDestination({ name, reason }, call) {
      const order = orderOf(call, reason)
      const doing = { trail, call, action: 'destination.enabled', target: { name } } as const
      return { destination: destinationMessageOf(await changing(doing, () => enableDestination(parts, name, order))) }
    },

    async disableDestination({ name, reason }, call) {
      const order = orderOf(call, reason)
      const doing = { trail, call, action: 'destination.disabled', target: { name } } as const
      return { destination: destinationMessageOf(await changing(doing, () => disableDestination(parts, name, order))) }
    },

    async testDestination({ name }, call) {
      const doing = { trail, call, action: 'destination.tested', target: { name } } as const
      const { durationMs, ...result } = await changing(doing, () => testDestination(parts, name))
      return { ...result, duration: durationFromMs(durationMs) }
    },

    async listDeliveries({ source, eventId }) {
      return { deliveries: (await listDeliveries(parts, { source, eventId })).map(deliveryMessageOf) }
    },

    async retryDelivery({ source, eventId, destination, reason }, call) {
      const order = orderOf(call, reason)
      const target = { source, eventId, destination }
      const doing = { trail, call, action: 'delivery.retried', target } as const
      const delivery = await changing(doing, () => redeliver(parts, target, order))
      return { delivery: deliveryMessageOf(delivery) }
    },

    watchDeadDeliveries: (_, { signal }) => watchDeadDeliveries(parts, signal()),
  })
}

/** @throws ServiceError `AUTHENTICATION_REQUIRED`, `VALIDATION_FAILED` */
function orderOf(call: CallContext, reason: string) {
  return { user: callerOf(call).username, reason: readMessage(retryCommand, { reason: given(reason) }).reason }
}
