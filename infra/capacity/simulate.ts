import { createHash } from 'node:crypto'
import { LIST_SHARDS, shardOf } from '../../lib/adapters/dynamodb/event-item.ts'
import { DEMAND, type Limits } from './limits.ts'

/** Webhooks at a constant rate for a while, from each sender in turn. */
export interface Load {
  readonly perSecond: number
  readonly seconds: number
  readonly senders: number
}

/** The parts that can refuse a call, in the order in which a call meets them. */
export type Bottleneck = 'the HTTP API' | 'functions' | 'the table as a whole' | "the sender's key" | "a list's key"

export interface SimulationResult {
  readonly sent: number
  readonly acceptedAtFirst: number
  readonly accepted: number
  /** Calls that their senders gave up. */
  readonly lost: number
  /** The number of calls that each part refused. */
  readonly refused: ReadonlyMap<Bottleneck, number>
  /** Seconds from the first call to the last accepted one. */
  readonly lastAt: number
}

/**
 * The delays of a sender's retries, in seconds after the call before: Svix's schedule and that of Standard Webhooks.
 */
const RESENDS = [5, 300, 1800, 7200, 18_000, 36_000, 36_000]

interface Call {
  readonly sender: number
  readonly list: string
  readonly tries: number
}

interface Attempt {
  readonly second: number
  readonly call: Call
  readonly refusal: Bottleneck | undefined
}

export function simulate(load: Load, limits: Limits): SimulationResult {
  const attempts = [...attemptsOf(load, limits)]
  const accepted = attempts.filter(({ refusal }) => refusal === undefined)
  const refused = new Map<Bottleneck, number>()
  for (const { refusal } of attempts) if (refusal) refused.set(refusal, (refused.get(refusal) ?? 0) + 1)
  return {
    sent: load.perSecond * load.seconds,
    acceptedAtFirst: accepted.filter(({ call }) => call.tries === 0).length,
    accepted: accepted.length,
    lost: attempts.filter(({ call, refusal }) => refusal && call.tries === RESENDS.length).length,
    refused,
    lastAt: accepted.at(-1)?.second ?? 0,
  }
}

/** All refused calls of one second come again together: senders are assumed to use no jitter. */
function* attemptsOf(load: Load, limits: Limits): Generator<Attempt> {
  const calls = new Map<number, Call[]>()
  for (let second = 0; second < load.seconds; second++) calls.set(second, newCalls(load, second))
  const admit = gate(limits)
  for (let second = nextOf(calls); second !== undefined; second = nextOf(calls)) {
    const refusalOf = admit(second)
    const due = calls.get(second) ?? []
    calls.delete(second)
    for (const call of due) {
      const refusal = refusalOf(call)
      yield { second, call, refusal }
      if (refusal) sendAgain(calls, second, call)
    }
  }
}

function sendAgain(calls: Map<number, Call[]>, second: number, { tries, ...call }: Call): void {
  const pause = RESENDS[tries]
  if (pause !== undefined) put(calls, second + pause, { ...call, tries: tries + 1 })
}

function put(calls: Map<number, Call[]>, second: number, call: Call): void {
  const others = calls.get(second)
  if (others) others.push(call)
  else calls.set(second, [call])
}

function nextOf(calls: ReadonlyMap<number, unknown>): number | undefined {
  return calls.size === 0 ? undefined : Math.min(...calls.keys())
}

function newCalls({ perSecond, senders }: Load, second: number): Call[] {
  return Array.from({ length: perSecond }, (_, index) => {
    const number = second * perSecond + index
    const hash = createHash('sha256').update(String(number)).digest('hex')
    return { sender: number % senders, list: shardOf(LIST_SHARDS, hash), tries: 0 }
  })
}

/** Decides second by second which part refuses a call; undefined if none does. */
function gate(limits: Limits): (second: number) => (call: Call) => Bottleneck | undefined {
  let tokens = limits.requestBurst
  let functions = 0
  let before = -1

  return (second) => {
    tokens = Math.min(limits.requestBurst, tokens + (second - before) * limits.requestRate)
    // Functions without a call for a second count as gone.
    functions = Math.min(limits.concurrency, (second - before === 1 ? functions : 0) + limits.newFunctions)
    before = second
    const bounds = { ...limits, requests: tokens, runs: (functions * 1000) / DEMAND.milliseconds }
    const taken = new Map<string, number>()

    return (call) => {
      const refusal = stepsOf(call, bounds).find(({ name, units, bound }) => {
        const sum = (taken.get(name) ?? 0) + units
        if (sum <= bound) taken.set(name, sum)
        return sum > bound
      })
      if (refusal?.part !== 'the HTTP API') tokens -= 1
      return refusal?.part
    }
  }
}

interface Bounds extends Limits {
  readonly requests: number
  readonly runs: number
}

/** The stocks that a call draws from, in order; units drawn are gone even if a later part refuses the call. */
function stepsOf({ sender, list }: Call, { requests, runs, keyUnits, tableUnits }: Bounds) {
  const { senderUnits, listUnits } = DEMAND
  return [
    { name: 'requests', units: 1, bound: requests, part: 'the HTTP API' },
    { name: 'runs', units: 1, bound: runs, part: 'functions' },
    { name: `sender-${sender}`, units: senderUnits, bound: keyUnits, part: "the sender's key" },
    { name: list, units: listUnits, bound: keyUnits, part: "a list's key" },
    { name: 'table', units: senderUnits, bound: tableUnits, part: 'the table as a whole' },
    { name: 'index', units: listUnits, bound: tableUnits, part: 'the table as a whole' },
  ] as const
}
