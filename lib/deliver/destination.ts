import type { NamedSecret, Right } from '../config.ts'

/** When a destination has alarms of its own; what is missing is as for all the others. */
export interface OwnAlarms {
  readonly deadAfter?: number | undefined
  readonly oldestMinutes?: number | undefined
  /** The ARN of the topic that is told. */
  readonly topic?: string | undefined
}

/** How a destination of any kind is served; times in milliseconds. */
interface Service {
  readonly name: string
  /** The globs of event types by source; `*` is every source. */
  readonly from: ReadonlyMap<string, readonly string[]>
  /** The number of deliveries under way at once. */
  readonly concurrency: number
  /** The number of deliveries that begin in a second, if it is limited. */
  readonly ratePerSecond: number | undefined
  /** For the whole of one delivery. */
  readonly timeout: number
  /** The pause after each failure; the last one repeats. */
  readonly delays: readonly [number, ...number[]]
  /** How long after its acceptance, or an operator's order, a delivery is given up. */
  readonly giveUpAfter: number
  /** Whether it gets an event with equal content under another unsigned id; else its source decides. */
  readonly repeats?: 'deliver' | 'hold' | undefined
  /** Absent if the alarms for all destinations are its own as well; false for none. */
  readonly alarms?: OwnAlarms | false | undefined
}

export interface HttpTarget {
  readonly to: 'http'
  readonly url: string
  readonly isPrivate: boolean
  readonly headers: ReadonlyMap<string, string | NamedSecret>
}

export interface SqsTarget {
  readonly to: 'sqs'
  readonly queueArn: string
  /** The path to the message group: its members, in order. */
  readonly group: string | undefined
}

export interface BusTarget {
  readonly to: 'eventbridge'
  readonly busArn: string
}

/** A team's own code. */
export interface HandlerTarget {
  readonly to: 'handler'
  /** The part of its file's path that no other handler has: `shop/order-paid`. */
  readonly path: string
  /** Of its function, in megabytes. */
  readonly memory: number
  /** The names of the secrets that it may read. */
  readonly secrets: readonly string[]
  readonly rights: readonly (Right & { readonly resources: readonly string[] })[]
}

export type Target = HttpTarget | SqsTarget | BusTarget | HandlerTarget

/** A destination as it is on one stage. */
export interface Destination extends Service {
  readonly target: Target
}

/** Whether what happens to a destination is nothing to the alarms for all of them. */
export function hasOwnAlarms({ alarms }: Pick<Destination, 'alarms'>): boolean {
  return alarms !== undefined
}

/** The parts of an Amazon Resource Name (IAM User Guide, "Identify AWS resources with ARNs"). */
export interface Arn {
  readonly region: string
  readonly account: string
  readonly resource: string
}

/** @throws Error for a text that is none */
export function readArn(text: string): Arn {
  const [prefix, , , region, account, ...resource] = text.split(':')
  if (prefix !== 'arn' || !region || !account || resource.length === 0) throw new Error('this is no ARN of a region')
  return { region, account, resource: resource.join(':') }
}

/** What a worker does around the call, in milliseconds. */
const AROUND = 10_000

/** The difference of two clocks, in milliseconds. */
const SKEW = 15_000

/** The timeout of the function that serves some destinations, in milliseconds: the slowest of them decides. */
export function functionTimeoutOf(served: readonly Pick<Destination, 'timeout'>[]): number {
  return Math.max(...served.map(({ timeout }) => timeout)) + AROUND
}

/** How long a message of their queues stays hidden (Lambda developer guide, "Using Lambda with Amazon SQS"). */
export function visibilityTimeoutOf(served: readonly Pick<Destination, 'timeout'>[]): number {
  return 6 * functionTimeoutOf(served)
}

/** How long no other worker may claim a delivery that is under way, in milliseconds: longer than its own call takes. */
export function leaseOf({ timeout }: Pick<Destination, 'timeout'>): number {
  return timeout + AROUND + SKEW
}

/**
 * How long an attempt takes at least, in milliseconds: as many as may be under way at once then stay below the rate, in
 * whatever processes they are. At most two seconds.
 */
export function intervalOf({ concurrency, ratePerSecond }: Pick<Destination, 'concurrency' | 'ratePerSecond'>): number {
  return ratePerSecond === undefined ? 0 : (concurrency / ratePerSecond) * 1000
}
