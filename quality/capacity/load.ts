import type { Random } from '../../test/support/random.ts'

/** Payments of Stripe at a constant rate for a while. */
export interface Load {
  readonly perSecond: number
  readonly seconds: number
  readonly senders: number
  /** The share of all that comes from the first sender; each sends as much as the others if it is left out. */
  readonly hotShare?: number | undefined
}

export interface Call {
  readonly sender: number
  /** How often its event was refused before. */
  readonly tries: number
}

/** The pauses of a sender before it calls again, in seconds: those of Svix and of Standard Webhooks. */
const RESENDS = [5, 300, 1800, 7200, 18_000, 36_000, 36_000] as const

export function newCalls({ perSecond, senders, hotShare }: Load, random: Random): Call[] {
  const others = Math.max(1, senders - 1)
  const sender = () => {
    if (hotShare === undefined) return random.below(senders)
    return random.chance(hotShare) ? 0 : 1 + random.below(others)
  }
  return Array.from({ length: perSecond }, () => ({ sender: sender(), tries: 0 }))
}

/** A refused call as it comes again, and after how many seconds; undefined if its sender gives it up. */
export function again({ sender, tries }: Call): { readonly call: Call; readonly pause: number } | undefined {
  const pause = RESENDS[tries]
  return pause === undefined ? undefined : { call: { sender, tries: tries + 1 }, pause }
}

/** Fisher and Yates: each order is as likely as any other. */
export function shuffled<T>(entries: readonly T[], random: Random): readonly T[] {
  const order = [...entries]
  for (let last = order.length - 1; last > 0; last--) {
    const other = random.below(last + 1)
    const [one, two] = [order[last], order[other]] as [T, T]
    order[last] = two
    order[other] = one
  }
  return order
}
