import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Documents } from '../../lib/adapters/dynamodb/client.ts'
import type { Clock } from '../../lib/runtime/clock.ts'

/** Requests that count what they write, and wait for room under a rate. */
export interface Paced {
  readonly documents: Documents
  /** Waits until what was written so far is paid for. */
  readonly pace: () => Promise<void>
}

interface PaceParts {
  readonly clock: Clock
  /** In milliseconds. */
  readonly sleep: (milliseconds: number) => Promise<unknown>
}

/** @param rate in write units a second, those of indexes included; time in which nothing was written is not saved up */
export function pacedBy(rate: number, documents: Documents, { clock, sleep }: PaceParts): Paced {
  let written = 0
  let paidUntil = 0
  const send = async (command: { readonly input: object }) => {
    Object.assign(command.input, { ReturnConsumedCapacity: 'TOTAL' })
    const answer = (await documents.send(command as never)) as Answer
    if (command instanceof UpdateCommand) written += answer.ConsumedCapacity?.CapacityUnits ?? 0
    return answer
  }
  return {
    documents: { send } as Documents,
    async pace() {
      const now = clock.now().getTime()
      paidUntil = Math.max(paidUntil, now) + (written / rate) * 1000
      written = 0
      if (paidUntil > now) await sleep(paidUntil - now)
    },
  }
}

interface Answer {
  readonly ConsumedCapacity?: { readonly CapacityUnits?: number }
}
