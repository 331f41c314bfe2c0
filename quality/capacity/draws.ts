import { BUSY, MOVES, sumOf, type Units } from './demand.ts'
import { FUNCTIONS, lanesOf } from './stock.ts'

export type Lanes = ReturnType<typeof lanesOf>

/**
 * What the moves of a destination's deliveries draw; tries by whether they fail.
 * @param callCost milliseconds of a function for one try
 */
export function drawsOf(name: string, callCost: number) {
  const lanes = (milliseconds: number, ...parts: readonly Units[]): Lanes =>
    lanesOf(sumOf([{ [FUNCTIONS]: milliseconds }, ...parts]), name)
  const tried = (claim: Units) => ({
    true: lanes(callCost, claim, MOVES.failure),
    false: lanes(callCost, claim, MOVES.success),
  })
  return {
    first: tried(MOVES.firstTry),
    further: tried(MOVES.furtherTry),
    woken: lanes(0, MOVES.woken),
    /** By whether the circuit is open: then no claim is made, and one that fails costs a unit. */
    dropped: { true: lanes(BUSY.delivery), false: lanes(BUSY.delivery, MOVES.firstTry) },
  } as const
}
