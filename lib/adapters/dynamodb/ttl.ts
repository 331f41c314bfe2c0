/** The condition of a write on a row that is not past its end; `:alive` is {@link ttlAt} of now. */
export const IS_ALIVE = 'expireAt > :alive'

/** A time in the form of DynamoDB's time to live, in seconds. The row goes some time later, or never on a local run. */
export function ttlAt(time: Date): number {
  return Math.ceil(time.getTime() / 1000)
}

/** The condition of a put in a place that is free: no row has it, or one that is past its end by now. `key` is of the table's key. */
export function whereFree(key: string, now: Date) {
  return {
    ConditionExpression: `attribute_not_exists(${key}) OR expireAt <= :now`,
    ExpressionAttributeValues: { ':now': Math.floor(now.getTime() / 1000) },
  } as const
}
