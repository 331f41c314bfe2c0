import { dynamoDeliveryStates } from '../adapters/dynamodb/delivery-states.ts'
import { dynamoEventList } from '../adapters/dynamodb/event-list.ts'
import { dynamoHealthStore } from '../adapters/dynamodb/health-store.ts'
import { replayedLists } from '../deliver/operators/lacking.ts'
import type { ListOf } from '../webhooks/operators/replay.ts'
import { documents } from './stores.ts'

/** What replays go through. @param tables their names */
export function replayedListsIn({
  events,
  deliveries,
}: {
  readonly events: string
  readonly deliveries: string
}): ListOf {
  return replayedLists({
    list: dynamoEventList(documents(), events),
    states: dynamoDeliveryStates(documents(), { deliveries, events }),
    health: dynamoHealthStore(documents(), deliveries),
  })
}
