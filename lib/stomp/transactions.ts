import { fail } from '../errors.ts'
import type { BusMessage } from '../messages/bus.ts'
import { malformed } from './codec/frame.ts'
import type { Budget } from './limits.ts'

/** What a frame does once its transaction is committed: it sends a message, or answers one. */
export type Step = { readonly message: BusMessage } | { readonly answer: () => void }

interface Kept {
  readonly step: Step
  readonly bytes: number
}

interface Limits {
  readonly openTransactions: number
  readonly transactionFrames: number
}

/** The open transactions of one session. */
export class Transactions {
  readonly #limits: Limits
  readonly #budget: Budget
  readonly #open = new Map<string, Kept[]>()
  #frames = 0

  constructor(limits: Limits, budget: Budget) {
    this.#limits = limits
    this.#budget = budget
  }

  /** @throws ProtocolError for one that is open, or one too many */
  begin(id: string): void {
    if (this.#open.has(id)) throw malformed('BEGIN must name a new transaction')
    if (this.#open.size >= this.#limits.openTransactions) throw malformed('too many transactions are open')
    this.#open.set(id, [])
  }

  /** @throws ProtocolError, ServiceError `PAYLOAD_TOO_LARGE` */
  add(id: string, step: Step, bytes: number): void {
    const steps = this.#find(id)
    if (this.#frames >= this.#limits.transactionFrames) throw malformed('too many frames are in transactions')
    if (!this.#budget.take(bytes)) throw fail('PAYLOAD_TOO_LARGE')
    this.#frames += 1
    steps.push({ step, bytes })
  }

  /** @returns what was in it, in order @throws ProtocolError for one that is not open */
  end(id: string): readonly Step[] {
    const steps = this.#find(id)
    this.#open.delete(id)
    this.#frames -= steps.length
    for (const { bytes } of steps) this.#budget.give(bytes)
    return steps.map(({ step }) => step)
  }

  #find(id: string): Kept[] {
    const steps = this.#open.get(id)
    if (!steps) throw malformed('the transaction is not open')
    return steps
  }
}
