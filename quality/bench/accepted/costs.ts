import { stripeEvent } from '../../../test/support/sent-events.ts'
import { costOfCalls, hasValgrind, instructions } from '../cold/meter.ts'
import { type Comparison, comparison } from '../comparison.ts'
import { effort, IS_SHORT } from '../effort.ts'
import type { Findings } from '../findings.ts'
import type { Bundles } from '../peers.ts'
import { interleaved, startSubject } from '../subjects.ts'
import { signedByStripe } from './events.ts'
import type { Round } from './subject.ts'

const ROUNDS = effort(15, 1)
const CALLS = effort(100, 5)
const WARM_UP = effort(1000, 5)

/** By then V8 has compiled what it will; what is between the two is counted in instructions. */
const COUNTED = [300, 800] as const

const BYTES = 2048

interface Kind {
  readonly status: number
  /** Whether every call is the same, so that one event says all. */
  readonly isSame: boolean
  readonly goals: Readonly<Record<string, Pick<Comparison, 'atLeast' | 'why'>>>
  event(): object
}

/** What is refused or known is no dearer than with the cheaper of the peers. */
const NO_LESS = { 'express-powertools': 1, 'express-writes': 1 }

const WHY = {
  accepted:
    'One request takes the place of four, but the body is compressed (50 µs), decimals are read as they are written (50), ' +
    'and there are metrics, an audit line and a hint to SNS (55 to 130), which peers do not have.',
  duplicate: 'A write that is refused is answered with the event that is there, which is read and compared.',
  refused: 'A refusal leaves an audit line and a metric, and peers leave nothing.',
}

/** What is sent, by its kind; peers call a duplicate and a refusal the same as we do. */
const KINDS: Readonly<Record<string, Kind>> = {
  accepted: {
    status: 200,
    isSame: false,
    goals: { 'limiter on': { atLeast: { 'express-powertools': 2 }, why: WHY.accepted } },
    event: () => signedByStripe(stripeEvent(BYTES)),
  },
  duplicate: {
    status: 200,
    isSame: true,
    goals: { 'limiter off': { atLeast: NO_LESS, why: WHY.duplicate } },
    event: () => signedByStripe(stripeEvent(BYTES)),
  },
  'bad signature': {
    status: 400,
    isSame: true,
    goals: { 'limiter off': { atLeast: NO_LESS, why: WHY.refused } },
    event: () => signedByStripe(stripeEvent(BYTES), 'whsec_other'),
  },
}

type Environment = Readonly<Record<string, string>>

/** What a webhook of each kind takes of the function. */
export async function timed(
  files: Bundles,
  environment: Environment,
  limiter: string,
): Promise<Readonly<Record<string, Findings>>> {
  const subjects = await Promise.all(
    [...files].map(([name, file]) => startSubject(name, 'accepted/subject.ts', [file], environment)),
  )
  const pieces: Record<string, Findings> = {}
  for (const [kind, { status, isSame, goals, event }] of Object.entries(KINDS)) {
    const what = `a webhook of Stripe, ${kind}, ${limiter}`
    const same = JSON.stringify(event())
    const round = (count: number): Round => ({
      events: Array.from({ length: count }, () => (isSame ? same : JSON.stringify(event()))),
      status,
    })
    const plan = { rounds: ROUNDS, warmUp: round(WARM_UP), round: () => round(CALLS) }
    const isCounted = isSame && hasValgrind() && !IS_SHORT
    pieces[`${kind}, ${limiter}, CPU`] = comparison({
      what,
      unit: 'µs of CPU',
      costs: await interleaved(subjects, plan),
      ...(!isCounted && goals[limiter]),
    })
    if (isCounted)
      pieces[`${kind}, ${limiter}, instructions`] = comparison({
        what: `${what}, instructions`,
        unit: 'million instructions',
        costs: await counted(files, { event: event(), status }, environment),
        ...goals[limiter],
      })
  }
  for (const { child } of subjects) child.kill()
  return pieces
}

async function counted(files: Bundles, call: { event: object; status: number }, environment: Environment) {
  const costs = new Map<string, readonly number[]>()
  for (const [name, bundle] of files) {
    // Two processes are measured at once. A peer refuses a duplicate while the other process stores the same event.
    await instructions.cost({ bundle, call, environment })
    costs.set(name, [await costOfCalls(instructions, { bundle, call, environment }, COUNTED)])
  }
  return costs
}
