import { readFileSync } from 'node:fs'
import process, { argv, exit } from 'node:process'
import { pathToFileURL } from 'node:url'
import { type Cost, costOf } from '../cost.ts'
import type { Case } from './cases.ts'

/** What is asked of a subject: to answer a case again and again. */
export interface Round {
  readonly case: number
  readonly milliseconds: number
}

const [, , file = '', texts = '[]'] = argv
const { handler } = await import(pathToFileURL(file).href)
const context = { awsRequestId: 'test', functionName: 'test', getRemainingTimeInMillis: () => 10_000 }
const cases: readonly Case[] = JSON.parse(readFileSync(texts, 'utf8'))
const turns = new Uint32Array(cases.length)

function answer({ case: index, milliseconds }: Round): Promise<Cost> {
  const { events = [], status } = cases[index] ?? {}
  return costOf(milliseconds, async () => {
    const turn = (turns[index] ?? 0) % events.length
    turns[index] = turn + 1
    const { statusCode } = await handler(JSON.parse(events[turn] ?? ''), context)
    // The floor has no status.
    if (statusCode !== undefined && statusCode !== status)
      throw new Error(`${file} answers ${statusCode}, not ${status}`)
  })
}

process.on('message', async (round: Round) => process.send?.(await answer(round)))
process.once('disconnect', () => exit())
process.send?.('ready')
