import { DEFAULTS, DEPLOYED, type Limits } from './limits.ts'
import type { Load } from './simulate.ts'

interface Scenario {
  readonly name: string
  readonly load: Load
  readonly limits: Limits
}

const NEW_ACCOUNT: Limits = { ...DEPLOYED, concurrency: DEFAULTS.newAccountConcurrency }
const OPENED: Limits = { ...DEPLOYED, requestRate: DEFAULTS.requestRate, requestBurst: DEFAULTS.requestBurst }
const WARMED: Limits = { ...OPENED, tableUnits: DEFAULTS.tableUnits }

const MANY = 50

/** Hot keys and bursts; each scenario adds the remedy for the one before. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: '100 million a month, evenly, from five senders; a new account',
    load: { perSecond: 39, seconds: 100, senders: 5 },
    limits: NEW_ACCOUNT,
  },
  {
    name: '20 seconds of 400 a second from 50 senders; a new account',
    load: { perSecond: 400, seconds: 20, senders: MANY },
    limits: NEW_ACCOUNT,
  },
  {
    name: 'the same with 1,000 functions at a time',
    load: { perSecond: 400, seconds: 20, senders: MANY },
    limits: DEPLOYED,
  },
  {
    name: '20 seconds of 400 a second, all from one sender',
    load: { perSecond: 400, seconds: 20, senders: 1 },
    limits: DEPLOYED,
  },
  {
    name: '20 seconds of 1,500 a second from 50 senders',
    load: { perSecond: 1500, seconds: 20, senders: MANY },
    limits: DEPLOYED,
  },
  {
    name: 'the same, the HTTP API opened to 10,000',
    load: { perSecond: 1500, seconds: 20, senders: MANY },
    limits: OPENED,
  },
  {
    name: 'the same, and the table warmed to 40,000 units',
    load: { perSecond: 1500, seconds: 20, senders: MANY },
    limits: WARMED,
  },
  {
    name: '20 seconds of 3,000 a second from 50 senders, opened and warmed',
    load: { perSecond: 3000, seconds: 20, senders: MANY },
    limits: WARMED,
  },
]
