import process, { argv, exit } from 'node:process'
import { pathToFileURL } from 'node:url'
import type { Cost } from '../cost.ts'

/** What is asked of a subject: to answer these events, one after the other. */
export interface Round {
  readonly events: readonly string[]
  readonly status: number
}

const [, , file = ''] = argv
const { handler } = await import(pathToFileURL(file).href)
const context = { awsRequestId: 'test', functionName: 'test', getRemainingTimeInMillis: () => 10_000 }

async function answer({ events, status }: Round): Promise<Cost> {
  const before = process.cpuUsage()
  for (const event of events) {
    const { statusCode } = await handler(JSON.parse(event), context)
    if (statusCode !== status) throw new Error(`${file} answers ${statusCode}, not ${status}`)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / events.length
}

process.on('message', async (round: Round) => process.send?.(await answer(round)))
process.once('disconnect', () => exit())
process.send?.('ready')
