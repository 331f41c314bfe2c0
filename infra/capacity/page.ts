import { LIST_SHARDS } from '../../lib/adapters/dynamodb/event-item.ts'
import { measuredOf } from '../cost/measured.ts'
import { PROCESSORS } from '../cost/usage.ts'
import { table, withParts } from '../description/markdown.ts'
import { DEFAULTS, DEMAND, DEPLOYED } from './limits.ts'
import { SCENARIOS } from './scenarios.ts'
import { type SimulationResult, simulate } from './simulate.ts'

/** The text of docs/capacity.md with new tables. */
export function capacity(): string {
  return withParts('docs/capacity.md', { limits, simulation })
}

/** The maximum concurrency of the retry queue's functions (infra/resources/gateway.yml). */
const WORKERS = 10

function limits(): string {
  const { milliseconds, senderUnits, listUnits } = DEMAND
  const byFunctions = (functions: number) => (functions * 1000) / milliseconds
  const byListKeys = (DEPLOYED.keyUnits * LIST_SHARDS.length) / listUnits
  const byWorkers = (WORKERS * 1000 * PROCESSORS) / measuredOf('retryEvent').nextAnswerCpu
  const rows: readonly (readonly [string, string, number, string])[] = [
    ['one address of a sender', 'the rate limiter, 100 a minute', 100 / 60, '`WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE`'],
    ['HTTP API', 'its stage', DEPLOYED.requestRate, '`requestRate`, `requestBurst`'],
    ['HTTP API', 'the account', DEFAULTS.requestRate, 'quota'],
    ['functions', 'a new account: 10', byFunctions(DEFAULTS.newAccountConcurrency), 'quota'],
    ['functions', 'an account: 1,000', byFunctions(DEPLOYED.concurrency), 'quota'],
    ['one sender', 'its key: 1,000 write units', DEPLOYED.keyUnits / senderUnits, 'see below'],
    ['events table', 'new: 4,000 write units', DEPLOYED.tableUnits / senderUnits, 'grows; warm throughput'],
    ['events table', 'the account: 40,000 write units', DEFAULTS.tableUnits / senderUnits, 'quota'],
    ['index of lists', `its ${LIST_SHARDS.length} keys`, byListKeys, 'see below'],
    ['retries', `${WORKERS} functions`, byWorkers, '`MaximumConcurrency`'],
  ]
  return table(
    ['part', 'limit', 'webhooks a second', 'raised by'],
    rows.map(([part, limit, perSecond, remedy]) => [part, limit, number(perSecond), remedy]),
  )
}

function simulation(): string {
  const rows = SCENARIOS.map(({ name, load, limits: bounds }) => {
    const outcome = simulate(load, bounds)
    const { sent, acceptedAtFirst, lost, lastAt } = outcome
    return [name, `${number((100 * acceptedAtFirst) / sent)} %`, refusalsOf(outcome), spanOf(lastAt), number(lost)]
  })
  return table(['load', 'in at first', 'refused by', 'all in after', 'given up'], rows)
}

function refusalsOf({ refused }: SimulationResult): string {
  const [first] = [...refused].sort(([, one], [, other]) => other - one)
  return first ? first[0] : 'nothing'
}

function spanOf(seconds: number): string {
  if (seconds < 600) return `${number(seconds + 1)} s`
  return seconds < 7200 ? `${number(seconds / 60)} min` : `${number(seconds / 3600)} h`
}

function number(amount: number): string {
  return amount.toLocaleString('en', { maximumSignificantDigits: amount < 100 ? 2 : 3 })
}
