import { AsyncLocalStorage } from 'node:async_hooks'
import type { Change, Target, TrailRow } from './row.ts'

/** An action under way. */
export interface Act {
  /** The table of its row. */
  readonly table: string
  /** Its row, if it is done. What is known of its target may change until then. */
  row: TrailRow
  /** Whether the row is stored. */
  isStored: boolean
}

const underWay = new AsyncLocalStorage<Act>()

/** Runs the work of an action. A store takes its row along with the change that it makes. */
export function during<T>(act: Act, work: () => T): T {
  return underWay.run(act, work)
}

/** The action whose row the next change takes along; undefined outside of one, and once its row is stored. */
export function actToStore(): Act | undefined {
  const act = underWay.getStore()
  return act?.isStored === false ? act : undefined
}

/** Says what the action under way is done to, and the new values; nothing happens outside of one. */
export function actsOn(target: Target, change?: Change): void {
  const act = underWay.getStore()
  if (act) act.row = { ...act.row, target, change: change ? { ...act.row.change, ...change } : act.row.change }
}
