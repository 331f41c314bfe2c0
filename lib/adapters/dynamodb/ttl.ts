/** A time as DynamoDB's time to live wants it, in seconds. The row goes some time later, or never on a local run. */
export function ttlAt(time: Date): number {
  return Math.ceil(time.getTime() / 1000)
}
