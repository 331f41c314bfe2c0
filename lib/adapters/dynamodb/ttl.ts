/** The condition of a write on a row that is not past its end; `:alive` is {@link ttlAt} of now. */
export const IS_ALIVE = 'expireAt > :alive'

/** A time in the form of DynamoDB's time to live, in seconds. The row goes some time later, or never on a local run. */
export function ttlAt(time: Date): number {
  return Math.ceil(time.getTime() / 1000)
}
