import type { DeliveryMove } from './delivery.ts'

/** Maximum number of moves that a delivery remembers: more than a schedule has tries within its time. */
const MAXIMUM_MOVES = 20

const MAXIMUM_ANSWER = 256

/** Adds a move to the history, which keeps the latest ones. */
export function withMove(history: readonly DeliveryMove[], move: DeliveryMove): readonly DeliveryMove[] {
  const kept = history.slice(Math.max(0, history.length + 1 - MAXIMUM_MOVES))
  return [...kept, move]
}

/** An answer as it is stored. */
export function shortAnswer(answer: string): string {
  return answer.slice(0, MAXIMUM_ANSWER)
}
