import { type ChangePublisher, changeIdOf } from '../live/change-feed.ts'
import type { OperatorStore } from './reset.ts'

/** Wraps the store so that it publishes each event that is reset. */
export function publishingResets(operators: OperatorStore, publisher: ChangePublisher): OperatorStore {
  return {
    async reset(key, order) {
      const result = await operators.reset(key, order)
      if (result.kind === 'reset') publisher.publishChange({ ...result.event, changeId: changeIdOf(key, order.at) })
      return result
    },
  }
}
