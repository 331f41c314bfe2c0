import { setTimeout } from 'node:timers/promises'

/**
 * Acts so many times a second, evenly, for so many seconds, whether or not what was begun has ended: an open loop. Each
 * act is told when it was due, in milliseconds of `performance.now()`; one that is late has waited, as its caller would
 * have, so a latency counted from then hides nothing (Gil Tene's "coordinated omission").
 */
export async function arrive(rate: number, seconds: number, act: (dueAt: number) => void): Promise<void> {
  const begun = performance.now()
  const total = Math.round(rate * seconds)
  for (let count = 0; count < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - begun) / 1000) * rate) + 1)
    for (; count < due; count++) act(begun + (count / rate) * 1000)
    await setTimeout(1)
  }
}
