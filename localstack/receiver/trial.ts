import { setTimeout } from 'node:timers/promises'
import { ServiceError } from '../../lib/errors.ts'
import type { SignedCall } from '../../lib/webhooks/schemes/scheme.ts'
import { StartError } from '../errors.ts'
import type { Verdict } from '../lab/verdicts.ts'
import { type Bench, FAULTS, type Fault, isProven } from './faults.ts'
import type { Receiver } from './receiver.ts'

interface Surroundings {
  readonly receiver: Receiver
  /** Reads how many effects there have been; NaN if that cannot be read. */
  readonly effects?: (() => Promise<number>) | undefined
}

/**
 * Sends what a provider sends, and what only looks like it, fault by fault.
 * @returns the verdicts, and the faults that are left out with the reason
 * @throws StartError if no good call can be made
 */
export async function trial(bench: Bench, surroundings: Surroundings, faults = FAULTS) {
  const verdicts: Verdict[] = []
  const leftOut: Record<string, string> = {}
  for (const [name, fault] of Object.entries(faults)) {
    const calls = callsOf(bench, fault)
    if (typeof calls === 'string') leftOut[name] = calls
    else {
      const found = verdicts[0]?.ok === false ? NOT_TRIED : await judged(fault, calls, surroundings)
      verdicts.push({
        name,
        ...found,
        should: SHOULD[fault.should].text,
        why: fault.why.replace('{source}', bench.source),
      })
    }
  }
  if (leftOut['good'] !== undefined) throw new StartError(leftOut['good'])
  return { verdicts, leftOut }
}

const NOT_TRIED = { ok: false, did: 'Not tried: without a good call that is taken, it would show nothing.' }

const SHOULD = {
  take: { text: 'It should answer 2xx, and each event should have its effect once.', status: /^2\d\d$/ },
  refuse: { text: 'It should answer 4xx, without an effect.', status: /^4\d\d$/ },
  answer: { text: 'It should answer 2xx or 4xx.', status: /^[24]\d\d$/ },
}

/** Of calls at once, all but one may be told to come again. */
const AT_ONCE = /^(?:2\d\d|409|425|429|503)$/

/** The calls of a fault, or why there are none. What the provider's own scheme judges otherwise is not this fault. */
function callsOf(bench: Bench, { should, calls }: Fault): readonly SignedCall[] | string {
  const none = `No call of ${bench.name} can have it.`
  try {
    const given = calls(bench) ?? []
    if (typeof given === 'string') return given
    const made = [given].flat()
    const isFault = (call: SignedCall) => call.method === 'GET' || isProven(bench, call) === (should === 'take')
    return made.length > 0 && (should === 'answer' || made.every(isFault)) ? made : none
  } catch (error) {
    if (error instanceof StartError) return error.message
    if (error instanceof ServiceError) return none
    throw error
  }
}

async function judged(fault: Fault, calls: readonly SignedCall[], { receiver, effects }: Surroundings) {
  const { should, isTogether, events = 1 } = fault
  const before = await effects?.()
  const answers = await answersTo(fault, calls, receiver)
  const isTaken = answers.some((answer) => SHOULD.take.status.test(answer))
  const wanted = should !== 'refuse' && isTaken ? events : 0
  const seen = effects && before !== undefined ? await settled(effects, before, wanted) : undefined
  const status = isTogether && isTaken ? AT_ONCE : SHOULD[should].status
  const ok = answers.every((answer) => status.test(answer)) && (seen ?? wanted) === wanted
  return { ok, did: `Its answers: ${answers.join(', ')}${notedOf(seen, calls.length > events)}.` }
}

function notedOf(effects: number | undefined, isRepeated: boolean): string {
  if (effects !== undefined) return `; effects: ${Number.isNaN(effects) ? 'not readable' : effects}`
  return isRepeated ? '; whether it had its effect once is not seen without --effects' : ''
}

async function answersTo({ isTogether, isStalled }: Fault, calls: readonly SignedCall[], { ask, stall }: Receiver) {
  if (isTogether) return Promise.all(calls.map(ask))
  const answers: string[] = []
  for (const call of calls) {
    const release = isStalled ? await stall(call) : undefined
    answers.push(await ask(call))
    release?.()
  }
  return answers
}

/** How long an effect may take after its answer, and how long one too many is waited for. In milliseconds. */
const [EFFECT, SECOND] = [3000, 100]

/** The number of new effects. */
async function settled(effects: () => Promise<number>, before: number, wanted: number): Promise<number> {
  const end = Date.now() + EFFECT
  while ((await effects()) - before < wanted && Date.now() < end) await setTimeout(SECOND)
  await setTimeout(SECOND)
  return (await effects()) - before
}
