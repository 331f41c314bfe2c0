import { destinationsOf } from '../../lib/deliver/configured/destinations.ts'
import { DEPLOYED, NEW_ACCOUNT, OPENED } from './limits.ts'
import type { World } from './simulate.ts'
import type { Receiver, Service } from './tries.ts'

interface Scenario extends World {
  readonly name: string
}

const HOUR = 3600
const FRESH = { ...OPENED, warmUnits: DEPLOYED.warmUnits }
const NEW = { ...DEPLOYED, concurrency: NEW_ACCOUNT }

const load = (perSecond: number, seconds: number, hotShare?: number) => ({
  load: { perSecond, seconds, senders: 50, hotShare },
})

export const INTAKE: readonly Scenario[] = [
  { name: '39 a second (100 million a month); a new account', ...load(39, 100), limits: NEW },
  { name: '20 s of 400 a second; a new account', ...load(400, 20), limits: NEW },
  { name: 'the same in a usual account', ...load(400, 20), limits: DEPLOYED },
  { name: '20 s of 1,500 a second', ...load(1500, 20), limits: DEPLOYED },
  { name: 'the same, the HTTP API opened to 10,000', ...load(1500, 20), limits: FRESH },
  { name: 'the same, half of it from one sender', ...load(1500, 20, 0.5), limits: FRESH },
  { name: '20 s of 3,000 a second, opened', ...load(3000, 20), limits: FRESH },
  { name: 'the same, the tables warmed to 40,000', ...load(3000, 20), limits: OPENED },
  { name: '20 s of 5,000 a second, opened and warmed', ...load(5000, 20), limits: OPENED },
  {
    name: '50 a second for two hours; no table answers in the first',
    ...load(50, 2 * HOUR),
    limits: DEPLOYED,
    outage: { from: 0, to: HOUR },
  },
]

/** As the configuration fills it in. */
function served(receiver: Receiver, concurrency?: number, name = 'first'): Service & Receiver {
  const from = { '*': ['**'] }
  const given = { to: 'http', url: 'https://example.com', from, ...(concurrency && { concurrency }) } as const
  const [service] = destinationsOf({ destinations: { [name]: given }, handlers: {}, handlerFiles: [] }, 'prod')
  return { ...(service as Service), ...receiver }
}

const FAST = { answerMilliseconds: 100 }
const SLOW = { answerMilliseconds: 1000 }
const DOWN = { ...FAST, down: { from: 0, to: HOUR } }
const three = (concurrency?: number) => ['first', 'second', 'third'].map((name) => served(FAST, concurrency, name))

/** Beside the intake, each told of by its first destination. */
export const DELIVERIES: readonly Scenario[] = [
  {
    name: '30 a second for ten minutes, one destination',
    ...load(30, 600),
    limits: DEPLOYED,
    destinations: [served(FAST)],
  },
  { name: 'the same, three destinations', ...load(30, 600), limits: DEPLOYED, destinations: three() },
  { name: 'the same, one that answers in 1 s', ...load(30, 600), limits: DEPLOYED, destinations: [served(SLOW)] },
  { name: 'the same, its concurrency 50', ...load(30, 600), limits: DEPLOYED, destinations: [served(SLOW, 50)] },
  {
    name: '30 a second for two hours, one destination that is down in the first',
    ...load(30, 2 * HOUR),
    limits: DEPLOYED,
    destinations: [served(DOWN)],
  },
  { name: 'the same, its concurrency 50', ...load(30, 2 * HOUR), limits: DEPLOYED, destinations: [served(DOWN, 50)] },
  {
    name: '300 a second for ten minutes, three destinations, concurrency 50',
    ...load(300, 600),
    limits: DEPLOYED,
    destinations: three(50),
  },
  {
    name: 'the same, the tables warmed to 40,000',
    ...load(300, 600),
    limits: { ...DEPLOYED, warmUnits: OPENED.warmUnits },
    destinations: three(50),
  },
  {
    name: '50 a second for one minute, the same three; a new account',
    ...load(50, 60),
    limits: NEW,
    destinations: three(50),
  },
]

const MILLION = { events: 1_000_000, ratePerSecond: 100 }

/** A replay of a million failed events of the first sender, beside an hour of the intake. */
export const REPLAYS: readonly Scenario[] = [
  { name: '100, beside 100 a second from 50 senders', ...load(100, HOUR), limits: DEPLOYED, replay: MILLION },
  {
    name: '1,000, which is the most that is taken; the same',
    ...load(100, HOUR),
    limits: DEPLOYED,
    replay: { ...MILLION, ratePerSecond: 1000 },
  },
  {
    name: '100, beside 150 a second from its sender and 50 from others',
    ...load(200, HOUR, 0.75),
    limits: DEPLOYED,
    replay: MILLION,
  },
  {
    name: '50, beside the same',
    ...load(200, HOUR, 0.75),
    limits: DEPLOYED,
    replay: { ...MILLION, ratePerSecond: 50 },
  },
]
