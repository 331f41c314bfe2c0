import process, { argv, exit } from 'node:process'
import type { Cost } from '../subjects.ts'
import { delivery, type Scheme } from './deliveries.ts'
import { type Judge, VERIFIERS } from './verifiers.ts'

/** What is asked of a subject: to judge a delivery of that size so many times. */
export interface Round {
  readonly bytes: number
  readonly calls: number
}

const [, , scheme = '', verifier = ''] = argv
const judges = new Map<number, Judge>()

function judgeOf(bytes: number): Judge {
  const judge = judges.get(bytes) ?? VERIFIERS[scheme as Scheme][verifier]?.(delivery(scheme as Scheme, bytes))
  if (judge === undefined) throw new Error(`nobody is called ${verifier}`)
  judges.set(bytes, judge)
  return judge
}

async function answer({ bytes, calls }: Round): Promise<Cost> {
  const judge = judgeOf(bytes)
  const before = process.cpuUsage()
  for (let count = 0; count < calls; count++) {
    const judgement = judge()
    // Only where the library itself makes the caller wait.
    const isRefused = (judgement instanceof Promise ? await judgement : judgement) === false
    if (isRefused) throw new Error(`${verifier} refuses a good signature`)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}

process.on('message', async (round: Round) => process.send?.(await answer(round)))
process.once('disconnect', () => exit())
process.send?.('ready')
