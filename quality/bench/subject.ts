import { readFileSync } from 'node:fs'
import process, { argv, exit } from 'node:process'
import { pathToFileURL } from 'node:url'
import type { Calls } from './calls.ts'

/** What is asked of a process that stays: to answer the calls of a file, each once or for so long. */
export interface Round {
  readonly calls: string
  /** Of CPU. */
  readonly milliseconds?: number
}

/** Calls between two looks at the time, at most: one costs as much as the fastest of calls. */
const LARGEST_BATCH = 64

const [, , bundle = ''] = argv
const { handler } = await import(pathToFileURL(bundle).href)
const context = { awsRequestId: 'test', functionName: 'test', getRemainingTimeInMillis: () => 10_000 }
const turns = new Map<string, Turn>()

type Turn = Calls & { next: number }

async function answer(turn: Turn, count: number): Promise<void> {
  for (let call = 0; call < count; call++) {
    const { statusCode } = await handler(JSON.parse(turn.events[turn.next++ % turn.events.length] ?? ''), context)
    // The floor has no status.
    if (statusCode !== undefined && statusCode !== turn.status)
      throw new Error(`${bundle} answers ${statusCode}, not ${turn.status}`)
  }
}

/** Microseconds of CPU of all threads for one call. */
async function costOf({ calls, milliseconds }: Round): Promise<number> {
  const turn = turns.get(calls) ?? { ...(JSON.parse(readFileSync(calls, 'utf8')) as Calls), next: 0 }
  // A file whose calls are made once may be another one the next time.
  if (milliseconds !== undefined) turns.set(calls, turn)
  const before = process.cpuUsage()
  let [count, spent] = [0, 0]
  for (let batch = milliseconds ? 1 : turn.events.length; count === 0 || spent < (milliseconds ?? 0) * 1000; ) {
    await answer(turn, batch)
    count += batch
    const { user, system } = process.cpuUsage(before)
    spent = user + system
    batch = Math.min(2 * batch, LARGEST_BATCH)
  }
  return spent / count
}

process.on('message', async (round: Round) => process.send?.(await costOf(round)))
process.once('disconnect', () => exit())
process.send?.('ready')
