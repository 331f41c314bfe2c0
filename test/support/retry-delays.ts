/**
 * After so many milliseconds a failed event of the running service is due again. SQS delays a message by whole seconds, so a
 * run comes up to a second later.
 */
export const RETRY_DELAYS = [300, 0, 0] as const
