import { table, withParts } from '../../infra/description/markdown.ts'
import { CONCURRENCY } from '../../lib/deliver/configured/destinations.ts'
import { webhookSettings } from '../../lib/runtime/settings/webhooks.ts'
import { ANSWER, BOUNDS, firstBound, senderRate } from './bounds.ts'
import { BUSY, EVENTS, type EventKind, PACE, REPLAYED } from './demand.ts'
import { QUOTAS, RETRY_PLACES } from './limits.ts'
import { number, shareOf, span } from './say.ts'
import { DELIVERIES, INTAKE, REPLAYS } from './scenarios.ts'
import { type Outcome, simulate } from './simulate.ts'
import { FUNCTIONS } from './stock.ts'

/** The text of docs/capacity.md with new tables. */
export function capacityPage(): string {
  return withParts('docs/capacity.md', { limits, parts, intake, deliveries, replays, cells, quotas })
}

const COUNTS = [0, 1, 3] as const

/** Bounds of a whole stack. */
function limits(): string {
  const rows = BOUNDS.map(({ part, limit, movedBy, rate }) => [
    part,
    limit,
    ...COUNTS.map((count) => (Number.isFinite(rate(count)) ? number(rate(count)) : '')),
    movedBy,
  ])
  return table(['part', 'limit', 'no destination', '1', '3', 'moved by'], rows)
}

/** Bounds of one sender, one destination, one replay. */
function parts(): string {
  const perMinute = webhookSettings.WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE.read(undefined)
  const byPlaces = (places: number, answer: number) => (places * 1000) / (BUSY.delivery + answer)
  const senders = (Object.keys(EVENTS) as EventKind[]).map((kind) => [
    'one sender',
    `its key: ${kind}`,
    senderRate(kind),
  ])
  const rows = [
    ['one address of a sender', 'the rate limiter', perMinute / 60],
    ...senders,
    ['one destination', `concurrency ${CONCURRENCY}, an answer in 0.1 s`, byPlaces(CONCURRENCY, ANSWER)],
    ['one destination', `concurrency ${CONCURRENCY}, an answer in 1 s`, byPlaces(CONCURRENCY, 1000)],
    [
      'one destination',
      `concurrency ${number(QUOTAS.pollers.figure)}, an answer in 1 s`,
      byPlaces(QUOTAS.pollers.figure, 1000),
    ],
    ['what a scan wakes', 'its function', PACE],
    ['retries', `${RETRY_PLACES} functions`, RETRY_PLACES * PACE],
    ['one replay', 'its function', PACE],
    ['one replay', "the sender's key", QUOTAS.keyUnits.figure / (REPLAYED['events'] ?? 0)],
  ]
  return table(
    ['part', 'limit', 'events a second'],
    rows.map(([part, limit, rate]) => [`${part}`, `${limit}`, number(Number(rate))]),
  )
}

function intake(): string {
  const rows = INTAKE.map(({ name, ...world }) => {
    const { sent, acceptedAtFirst, givenUp, lastAt, ...outcome } = simulate(world)
    return [name, shareOf(acceptedAtFirst, sent), refusers(outcome), span(lastAt + 1), number(givenUp)]
  })
  return table(['load, from 50 senders', 'in at first', 'refused by', 'all in after', 'given up'], rows)
}

function deliveries(): string {
  const rows = DELIVERIES.map(({ name, ...world }) => {
    const outcome = simulate(world)
    const { sent, acceptedAtFirst, givenUp, deliveries: told } = outcome
    const [first = { most: 0, lateAt: 0, dropped: 0 }] = told
    const late = first.lateAt === 0 ? 'never' : span(first.lateAt)
    const cells = [first.most, first.dropped, Math.ceil(outcome.peakOf(FUNCTIONS) / 1000), givenUp].map(number)
    return [name, shareOf(acceptedAtFirst, sent), refusers(outcome), late, ...cells]
  })
  return table(
    [
      'load',
      'in at first',
      'refused by',
      'late until',
      'most waiting',
      'vain messages',
      'functions at once',
      'given up',
    ],
    rows,
  )
}

function replays(): string {
  const rows = REPLAYS.map(({ name, ...world }) => {
    const outcome = simulate(world)
    const { sent, acceptedAtFirst, givenUp, replayed } = outcome
    return [name, span(replayed.lastAt + 1), shareOf(acceptedAtFirst, sent), refusers(outcome), number(givenUp)]
  })
  return table(['`ratePerSecond`', 'done after', 'intake in at first', 'refused by', 'given up'], rows)
}

function cells(): string {
  const stages = [
    ['a new account', []],
    ['a usual account', ['time']],
    ['`requestRate` raised', ['time', 'a setting']],
    ['and the tables grown or warmed', ['time', 'a setting', 'growth']],
    ['and the quotas raised', ['time', 'a setting', 'growth', 'a quota']],
  ] as const
  const rows = stages.map(([name, moved]) => [
    name,
    ...COUNTS.map((count) => {
      const { part, rate } = firstBound(moved, count)
      return `${number(rate(count))}: ${part}`
    }),
  ])
  return table(['events a second that one stack takes', 'no destination', '1', '3'], rows)
}

function quotas(): string {
  const rows = Object.values(QUOTAS).map(({ figure, what, page, seen }) => [`[${what}](${page})`, number(figure), seen])
  return table(['quota', '', 'read'], rows)
}

/** How tables and indexes are called by what refuses a call. */
const NAMES: Readonly<Record<string, string>> = {
  outage: 'the tables',
  'a key of events': "the sender's key",
  'a key of events.byTime': 'a key of the list',
  'a key of payments.byTime': 'a key of the list of payments',
  deliveries: 'table of deliveries',
  events: 'table of events',
  payments: 'table of payments',
  'events.byTime': 'the list',
}

/** What refused most. */
function refusers({ refused }: Pick<Outcome, 'refused'>): string {
  const [first] = [...refused].sort(([, one], [, other]) => other - one)
  return first === undefined ? 'nothing' : (NAMES[first[0]] ?? first[0])
}
