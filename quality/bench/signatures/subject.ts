import process, { argv, exit } from 'node:process'
import { type Cost, costOf } from '../cost.ts'
import { delivery, type Scheme } from './deliveries.ts'
import { type Judge, VERIFIERS } from './verifiers.ts'

/** What is asked of a subject: to judge a delivery of that size again and again. */
export interface Round {
  readonly bytes: number
  readonly milliseconds: number
}

const [, , scheme = '', verifier = ''] = argv
const judges = new Map<number, Judge>()

function judgeOf(bytes: number): Judge {
  const judge = judges.get(bytes) ?? VERIFIERS[scheme as Scheme][verifier]?.(delivery(scheme as Scheme, bytes))
  if (judge === undefined) throw new Error(`nobody is called ${verifier}`)
  judges.set(bytes, judge)
  return judge
}

function answer({ bytes, milliseconds }: Round): Promise<Cost> {
  const judge = judgeOf(bytes)
  return costOf(milliseconds, () => {
    const judgement = judge()
    // Only where the library itself makes the caller wait.
    return judgement instanceof Promise ? judgement.then(hold) : hold(judgement)
  })
}

function hold(judgement: unknown): void {
  if (judgement === false) throw new Error(`${verifier} refuses a good signature`)
}

process.on('message', async (round: Round) => process.send?.(await answer(round)))
process.once('disconnect', () => exit())
process.send?.('ready')
