const SECOND = 1000
const DAY = 86_400 * SECOND

/** When a row ends that is kept for so many days: a whole second, as DynamoDB's time to live is. */
export function endAfter(at: Date, days: number): Date {
  return new Date(Math.ceil((at.getTime() + days * DAY) / SECOND) * SECOND)
}

/** Whether a row without an end, or with a later one, is still shown, and in the way of others. */
export function isBefore(now: Date, endsAt: Date | undefined): boolean {
  return endsAt === undefined || now < endsAt
}

/** Whether a row may still be claimed: no longer in the second before its end. */
export function isAlive({ endsAt }: { readonly endsAt?: Date | undefined }, now: Date): boolean {
  return isBefore(endAfter(now, 0), endsAt)
}
