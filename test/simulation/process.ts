import { unavailable } from '../../lib/errors.ts'
import type { Clock } from '../../lib/runtime/time.ts'
import type { Random } from '../support/random.ts'
import type { Fault } from './faults.ts'
import type { Scheduler } from './scheduler.ts'

/** One run of one function: whoever dies here never comes back. */
export interface Process {
  readonly kind: 'intake' | 'worker' | 'sweep'
  readonly clock: Clock
  isDead: boolean
  /** The name under which it claims. */
  owner?: string
}

/** One call of a store or a queue on its way. */
interface Call {
  readonly process: Process
  readonly apply: () => Promise<unknown>
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

/** How calls end, as the scheduler and chance will have it. */
export class Network {
  readonly #scheduler: Scheduler
  readonly #random: Random
  readonly #faultOf: (name: string) => Fault | undefined

  constructor(scheduler: Scheduler, random: Random, faultFor: (name: string) => Fault | undefined) {
    this.#scheduler = scheduler
    this.#random = random
    this.#faultOf = faultFor
  }

  /** The answer of a call; none ever comes to a dead process. */
  call<T>(process: Process, name: string, apply: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (process.isDead) return
      const fault = this.#faultOf(name)
      const call: Call = { process, apply, resolve: (answer) => resolve(answer as T), reject }
      this.#scheduler.after(this.#random.between(1, 40), () => this.#arrive(call, fault))
    })
  }

  #arrive(call: Call, fault: Fault | undefined): void {
    if (!call.process.isDead) this.#ends[fault ?? 'none'](call)
    else if (this.#random.chance(0.5)) void make(call)
  }

  readonly #ends: Readonly<Record<Fault | 'none', (call: Call) => void>> = {
    none: (call) => answer(call, make(call)),
    'dies before': ({ process }) => {
      process.isDead = true
    },
    'dies after': (call) => {
      void make(call)
      call.process.isDead = true
    },
    throttled: (call) => answer(call, refuse('throttled')),
    'answer lost': (call) =>
      answer(
        call,
        make(call).then(() => refuse('no answer')),
      ),
    late: (call) => {
      this.#scheduler.after(this.#random.between(100, 30_000), () => void make(call))
      answer(call, refuse('no answer'))
    },
    'tried twice': (call) => {
      void make(call)
      this.#scheduler.after(this.#random.between(1, 40), () => answer(call, make(call)))
    },
    stall: (call) => {
      const made = make(call)
      this.#scheduler.after(this.#random.between(65_000, 400_000), () => answer(call, made))
    },
  }
}

/** Makes a call; a refusal that nobody waits for is nobody's. */
function make({ apply }: Call): Promise<unknown> {
  const made = apply()
  made.catch(() => undefined)
  return made
}

async function refuse(reason: string): Promise<never> {
  throw unavailable(new Error(reason))
}

function answer({ process, resolve, reject }: Call, made: Promise<unknown>): void {
  made.then(
    (value) => {
      if (!process.isDead) resolve(value)
    },
    (error) => {
      if (!process.isDead) reject(error)
    },
  )
}
