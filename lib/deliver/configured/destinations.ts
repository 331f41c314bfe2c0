import type { DestinationConfig, GatehouseConfig } from '../../config.ts'
import { ConfigError } from '../../runtime/config.ts'
import type { Destination, Target } from '../destination.ts'
import { stagedOf, valueOn } from './staged.ts'

/** How many deliveries are under way at once unless a destination says otherwise. */
export const CONCURRENCY = 5

const SECOND = 1000
const HOUR = 3_600_000

const TIMEOUT_SECONDS = 15
const GIVE_UP_HOURS = 72

/** 5 s, 5 min, 30 min, then 2, 5, 10, 14 and 20 hours: the example of Standard Webhooks 1.0.0, three days in all. */
const PAUSES = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000] as const

/**
 * The destinations as they are on a stage, what is left out filled in.
 * @param config without a mistake
 * @throws ConfigError naming what has no value on the stage
 */
export function destinationsOf({ destinations = {} }: GatehouseConfig, stage: string): readonly Destination[] {
  return Object.entries(destinations).map(([name, given]) => destinationOf(name, given, stage))
}

function destinationOf(name: string, given: DestinationConfig, stage: string): Destination {
  const [first = PAUSES[0], ...others] = given.retry ?? PAUSES
  return {
    name,
    from: new Map(Object.entries(given.from)),
    concurrency: given.concurrency ?? CONCURRENCY,
    ratePerSecond: given.ratePerSecond,
    timeout: (given.timeoutSeconds ?? TIMEOUT_SECONDS) * SECOND,
    delays: [first * SECOND, ...others.map((pause) => pause * SECOND)],
    giveUpAfter: (given.giveUpAfterHours ?? GIVE_UP_HOURS) * HOUR,
    target: targetOf(given, placeOf(name, given, stage)),
  }
}

/** Where a destination is on a stage. */
function placeOf(name: string, given: DestinationConfig, stage: string): string {
  const { field, value } = stagedOf(given)
  const place = valueOn(stage, value)
  if (place !== undefined) return place
  throw new ConfigError(
    [`destinations.${name}.${field}: has no value for the stage ${stage}`],
    'Wrong configuration, gatehouse.config.ts',
  )
}

function targetOf(given: DestinationConfig, place: string): Target {
  switch (given.to) {
    case 'http': {
      const headers = Object.entries(given.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const)
      return { to: 'http', url: place, isPrivate: given.network === 'private', headers: new Map(headers) }
    }
    case 'sqs':
      return { to: 'sqs', queueArn: place, group: given.group }
    case 'eventbridge':
      return { to: 'eventbridge', busArn: place }
  }
}
