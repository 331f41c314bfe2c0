import { type Announcer, changeIdOf } from '../change-feed.ts'
import type { OperatorStore } from './reset.ts'

/** The store, announcing each event that was reset. */
export function announcingOperators(operators: OperatorStore, announcer: Announcer): OperatorStore {
  return {
    async reset(key, order) {
      const result = await operators.reset(key, order)
      if (result.kind === 'reset') announcer.announce({ ...result.event, changeId: changeIdOf(key, order.at) })
      return result
    },
  }
}
