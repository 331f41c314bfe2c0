import { env, stderr } from 'node:process'
import { Presets, SingleBar } from 'cli-progress'
import { orderEffect, paymentEffect } from '../../lib/adapters/dynamodb/changed-rows.ts'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import { dynamoRetryStore } from '../../lib/adapters/dynamodb/retry-store.ts'
import { documentClient } from '../../lib/adapters/dynamodb/table.ts'
import { policyOf } from '../../lib/app/processing.ts'
import { loadConfig } from '../../lib/runtime/config.ts'
import { retrySettings } from '../../lib/runtime/settings/retry.ts'
import type { AuditDecision, AuditFacts } from '../../lib/webhooks/audit.ts'
import { FLAG, printerFor, readOptions, runCommand, wholeOption } from '../command.ts'
import { localRun, noTables } from '../local-run.ts'
import { enterLocalCloud } from '../stack/environment.ts'
import { live } from './seed/live.ts'
import { dayOf } from './seed/stories.ts'

const USAGE = `npx gatehouse seed [options]

Fills the running service with a day of sample events: webhooks of many providers, processed, superseded, failed, waiting for
a retry, dead. They go through the product's own intake and retries, on a clock of their own; the same options make the
same events, and those that are there already stay as they are.

  --events N  how many (500)
  --hours N   spread over the last N hours (24)
  --seed N    other events (1)
  --json      one object: events, hours, seconds and states
`

const OPTIONS = {
  events: { type: 'string', default: '500' },
  hours: { type: 'string', default: '24' },
  seed: { type: 'string', default: '1' },
  json: FLAG,
} as const

/** Table names, as serverless.yml defines them for the local stage. */
const TABLES = {
  events: 'gatehouse-local-events',
  effects: [paymentEffect('gatehouse-local-payments'), orderEffect('gatehouse-local-orders')],
}

/** The number of stories that run at a time. */
const WIDTH = 16

async function seed(args: readonly string[]): Promise<number> {
  const { values } = readOptions({ args: [...args], options: OPTIONS })
  const events = wholeOption('--events', values.events, [1, 100_000])
  const hours = wholeOption('--hours', values.hours, [1, 720])
  const policy = policyOf(loadConfig(retrySettings))
  const end = new Date()
  const stories = dayOf({ events, hours, seed: wholeOption('--seed', values.seed, [0, 1_000_000_000]), policy })
  const endpoint = enterLocalCloud(env, localRun(env).ports).dynamodb
  const documents = documentClient()
  const audit = countStates()
  const world = {
    events: dynamoEventStore(documents, TABLES),
    runs: dynamoRetryStore(documents, TABLES),
    policy,
    audit,
    end,
  }
  const start = performance.now()
  await eachOf(stories, (story) => live(story, world)).catch((error) => {
    throw noTables(error, endpoint)
  })
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  printerFor(values.json)(
    { events, hours, seconds: Number(seconds), states: Object.fromEntries(audit.counts()) },
    `${events} events of the last ${hours} hours, in ${seconds} s\n${audit.report()}`,
  )
  return 0
}

/** Processes a list, several items at a time, and shows the progress on a terminal. */
async function eachOf<T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const bar = stderr.isTTY ? new SingleBar({ stream: stderr, hideCursor: true }, Presets.shades_classic) : undefined
  const left = list.values()
  bar?.start(list.length, 0)
  try {
    const workers = Array.from({ length: WIDTH }, async () => {
      for (const one of left) {
        await work(one)
        bar?.increment()
      }
    })
    await Promise.all(workers)
  } finally {
    bar?.stop()
  }
}

/** The state of an event after the last decision on it. */
const STANDINGS: Readonly<Partial<Record<AuditDecision, (about: AuditFacts) => string>>> = {
  received: () => 'RECEIVED',
  processed: ({ outcome }) => (outcome === 'superseded' ? 'PROCESSED, superseded' : 'PROCESSED'),
  failed: () => 'FAILED, to be retried',
  dead: () => 'FAILED for good',
  retried: ({ n }) => (n === 0 ? 'PROCESSING' : 'RETRY'),
  duplicate: () => 'there already',
}

/** Counts the events by their state. */
export function countStates() {
  const standings = new Map<string, string>()

  /** The number of events in each state. */
  function counts(): ReadonlyMap<string, number> {
    const found = new Map<string, number>()
    for (const standing of standings.values()) found.set(standing, (found.get(standing) ?? 0) + 1)
    return found
  }

  return {
    decided(decision: AuditDecision, about: AuditFacts): void {
      const standing = STANDINGS[decision]?.(about)
      if (standing !== undefined) standings.set(`${about.source} ${about.eventId}`, standing)
    },
    counts,
    /** Lines with a state and its number of events, the most common first. */
    report(): string {
      const rows = [...counts()].sort(([, one], [, other]) => other - one)
      return rows.map(([standing, count]) => `${String(count).padStart(7)}  ${standing}\n`).join('')
    },
  }
}

if (import.meta.main) await runCommand({ name: 'seed', usage: USAGE, run: seed })
