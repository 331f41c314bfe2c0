import type { Alarms, ByStage, DestinationConfig, HandlerConfig, HttpAuth, Right, TeamResource } from '../../config.ts'
import { ConfigError } from '../../runtime/config.ts'
import type { Destination, HandlerTarget, OwnAlarms, StageAuth, Target } from '../destination.ts'
import { type HandlerFile, handlerDestination, handlerPath, type Team } from '../handler-file.ts'

/** How many deliveries are under way at once unless a destination says otherwise. */
export const CONCURRENCY = 5

const SECOND = 1000
const HOUR = 3_600_000

const TIMEOUT_SECONDS = 15
/** How long a delivery is tried unless a destination says otherwise. */
export const GIVE_UP_HOURS = 72

/** 5 s, 5 min, 30 min, then 2, 5, 10, 14 and 20 hours: the example of Standard Webhooks 1.0.0, three days in all. */
const PAUSES = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000] as const

const MEMORY_MEGABYTES = 512

/**
 * The destinations as they are on a stage, handlers among them, what is left out filled in.
 * @param team without a mistake
 * @throws ConfigError naming what has no value on the stage
 */
export function destinationsOf({ destinations = {}, handlers = {}, handlerFiles = [] }: Team, stage: string) {
  const settings = new Map(Object.entries(handlers))
  return [
    ...Object.entries(destinations).map(([name, given]) => destinationOf(name, given, stage)),
    ...handlerFiles.map((file) => handlerOf(file, settings.get(handlerPath(file)) ?? {}, stage)),
  ]
}

function destinationOf(name: string, given: DestinationConfig, stage: string): Destination {
  const { field, value } = stagedOf(given)
  return {
    name,
    from: new Map(Object.entries(given.from)),
    where: given.where,
    ...serviceOf(given, stage),
    target: targetOf(given, onStage(stage, value, `destinations.${name}.${field}`), stage, name),
  }
}

function handlerOf(file: HandlerFile, given: HandlerConfig, stage: string): Destination {
  return {
    name: handlerDestination(file),
    from: new Map([[file.source, file.on]]),
    where: file.where,
    ...serviceOf({ ...file, ...given }, stage),
    target: handlerTarget(handlerPath(file), given, stage),
  }
}

function serviceOf(
  given: Omit<HandlerConfig, 'rights'>,
  stage: string,
): Omit<Destination, 'name' | 'from' | 'where' | 'target'> {
  const [first = PAUSES[0], ...others] = given.retry ?? PAUSES
  return {
    concurrency: given.concurrency ?? CONCURRENCY,
    ratePerSecond: given.ratePerSecond,
    timeout: (valueOn(stage, given.timeoutSeconds) ?? TIMEOUT_SECONDS) * SECOND,
    delays: [first * SECOND, ...others.map((pause) => pause * SECOND)],
    giveUpAfter: (given.giveUpAfterHours ?? GIVE_UP_HOURS) * HOUR,
    repeats: given.repeats,
    ...(given.alarms !== undefined && { alarms: alarmsOf(given.alarms, stage) }),
    ...networkOf(given, stage),
  }
}

/** A local run is in the network of its machine, and joins no other. */
function networkOf({ network }: Pick<HandlerConfig, 'network'>, stage: string): Pick<Destination, 'network'> {
  const joined = valueOn(stage, network)
  return joined && joined !== 'private' && stage !== 'local' ? { network: joined } : {}
}

function alarmsOf(given: Alarms | false, stage: string): OwnAlarms | false {
  return given && { ...given, topic: valueOn(stage, given.topic) }
}

/** A value as it is on a stage. */
function onStage(stage: string, value: string | ByStage, field: string): string {
  const found = valueOn(stage, value)
  if (found !== undefined) return found
  throw new ConfigError([`${field}: has no value for the stage ${stage}`], 'Wrong configuration, gatehouse.config.ts')
}

function handlerTarget(path: string, given: HandlerConfig, stage: string): HandlerTarget {
  return {
    to: 'handler',
    path,
    memory: valueOn(stage, given.memoryMegabytes) ?? MEMORY_MEGABYTES,
    secrets: given.secrets ?? [],
    rights: (given.rights ?? []).map(({ actions, resources }) => ({
      actions,
      resources: resources.map((one) => (isOfTeam(one) ? one : onStage(stage, one, `handlers.${path}.rights`))),
    })),
  }
}

export function isOfTeam(resource: Right['resources'][number]): resource is TeamResource {
  return typeof resource === 'object' && 'team' in resource
}

function targetOf(given: DestinationConfig, place: string, stage: string, name: string): Target {
  switch (given.to) {
    case 'http': {
      const headers = Object.entries(given.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const)
      const isPrivate = valueOn(stage, given.network) !== undefined
      const auth = given.auth && authOf(given.auth, place, stage, name)
      return { to: 'http', url: place, isPrivate, headers: new Map(headers), ...(auth && { auth }) }
    }
    case 'sqs':
      return { to: 'sqs', queueArn: place, group: given.group }
    case 'eventbridge':
      return { to: 'eventbridge', busArn: place }
  }
}

function authOf(given: HttpAuth, url: string, stage: string, name: string): StageAuth | undefined {
  if ('oauth2' in given) {
    const tokenUrl = onStage(stage, given.oauth2.tokenUrl, `destinations.${name}.auth.oauth2.tokenUrl`)
    return { oauth2: { ...given.oauth2, tokenUrl } }
  }
  // Without TLS, as on a laptop, nobody asks for a certificate.
  return 'mtls' in given && url.startsWith('http:') ? undefined : given
}

/** The field of a destination that may differ between stages, and what is in it. */
export function stagedOf(destination: DestinationConfig): { readonly field: string; readonly value: string | ByStage } {
  switch (destination.to) {
    case 'http':
      return { field: 'url', value: destination.url }
    case 'sqs':
      return { field: 'queue', value: destination.queue }
    case 'eventbridge':
      return { field: 'bus', value: destination.bus }
  }
}

/** What a value is on a stage; undefined if it is not said. */
export function valueOn<T>(stage: string, value: T | ByStage<T> | undefined): T | undefined {
  if (!isByStage(value)) return value
  const values = new Map(Object.entries(value.byStage))
  return values.get(stage) ?? values.get('default')
}

function isByStage<T>(value: T | ByStage<T> | undefined): value is ByStage<T> {
  return typeof value === 'object' && value !== null && 'byStage' in value
}
