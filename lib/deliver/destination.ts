import type { ClientCredentials, HttpAuth, NamedSecret, Network, Right, TeamResource, Where } from '../config.ts'
import { HANDLERS } from './handler-file.ts'

/** When a destination has alarms of its own; what is missing is as for all the others. */
export interface OwnAlarms {
  readonly deadAfter?: number | undefined
  readonly oldestMinutes?: number | undefined
  /** The ARN of the topic that gets the alarm. */
  readonly topic?: string | undefined
}

/** How a destination of any kind is served; times in milliseconds. */
interface Service {
  readonly name: string
  /** The globs of event types by source; `*` is every source. */
  readonly from: ReadonlyMap<string, readonly string[]>
  /** What else an event must have. */
  readonly where?: Where | undefined
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
  /** Where its function runs, if not outside of all networks; on the local stage there is none. */
  readonly network?: Network | undefined
}

export interface HttpTarget {
  readonly to: 'http'
  readonly url: string
  /** Whether its address may be in a private network. */
  readonly isPrivate: boolean
  readonly headers: ReadonlyMap<string, string | NamedSecret>
  readonly auth?: StageAuth | undefined
}

/** As it is on one stage. */
export type StageAuth =
  | Exclude<HttpAuth, { readonly oauth2: unknown }>
  | { readonly oauth2: ClientCredentials & { readonly tokenUrl: string } }

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
  readonly rights: readonly StageRight[]
}

/** A right as it is on one stage. */
export interface StageRight extends Pick<Right, 'actions'> {
  readonly resources: readonly (string | TeamResource)[]
}

export type Target = HttpTarget | SqsTarget | BusTarget | HandlerTarget

/** The host, the ARN or the file: paths and queries of a URL may hold secrets. */
export function shownTarget(target: Target): string {
  switch (target.to) {
    case 'http':
      return new URL(target.url).host
    case 'sqs':
      return target.queueArn
    case 'eventbridge':
      return target.busArn
    case 'handler':
      return `${HANDLERS}/${target.path}.ts`
  }
}

/** A destination as it is on one stage. */
export interface Destination extends Service {
  readonly target: Target
}

/** Whether what happens to a destination is nothing to the alarms for all of them. */
export function hasOwnAlarms({ alarms }: Pick<Destination, 'alarms'>): boolean {
  return alarms !== undefined
}

/** For so long SQS drops what has the same deduplication id, in milliseconds (API Reference, SendMessage). */
const REMEMBERED = 300_000

/** Whether messages to a target are ordered, and dropped if they are the same. */
export function isFifo(target: Target): boolean {
  return target.to === 'sqs' && target.queueArn.endsWith('.fifo')
}

/** Why a delivery may have no effect. @param sentAt when it was sent before, if it may have arrived */
export function doubtOf(target: Target, sentAt: Date | undefined, at: Date): string | undefined {
  const isRepeat = isFifo(target) && sentAt !== undefined && at.getTime() - sentAt.getTime() < REMEMBERED
  return isRepeat ? 'SQS had the same message less than five minutes before, and may drop this one' : undefined
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
