import { setTimeout } from 'node:timers/promises'
import { prove } from '../../localstack/senders/prove.ts'
import { senderOf } from '../../localstack/senders/table.ts'
import type { Random } from '../../test/support/random.ts'
import type { Shot } from './story.ts'

/** What came of an event, as its sender knows it. */
export interface Sent extends Shot {
  /** Answered with 2xx, at whichever try. */
  readonly isAcknowledged: boolean
}

export interface Traffic {
  /** Tells so many events more, each until it is answered; settles when all have been. */
  send(count: number): Promise<void>
  /** Settles when so many have been answered in all. */
  reached(count: number): Promise<void>
  readonly sent: readonly Sent[]
  /** Tries that were answered with an error, or not at all. */
  readonly refused: number
  /** Events that were sent again though they had been acknowledged. */
  readonly repeated: number
}

export interface TrafficParts {
  readonly address: string
  readonly secrets: Readonly<Record<string, string>>
  readonly nextStory: () => readonly Shot[]
  readonly random: Random
  readonly senders: number
  /** Told before the first try of an event. */
  readonly begins?: (shot: Shot) => void
}

/** How often a sender does not know its own success, and how often one gives up. */
const REPEATS = 0.1
const GIVES_UP = 0.05

/** In milliseconds. */
const PAUSE = [50, 250] as const
const PATIENCE = 15_000

/** Senders of webhooks at work: each tells one story after the other, its events in their order. */
export function createTraffic({ address, secrets, nextStory, random, senders, begins }: TrafficParts): Traffic {
  const sent: Sent[] = []
  let refused = 0
  let repeated = 0
  let wanted = 0

  /** Whether it was acknowledged. */
  async function post({ source, message }: Shot): Promise<boolean> {
    const sender = senderOf(source)
    if (sender === undefined) throw new Error(`nobody sends as ${source}`)
    const url = new URL(`/webhooks/${source}`, address).href
    const credentials = { secret: secrets[source] ?? '' }
    const { headers, body } = prove(message, { name: source, sender, credentials, url, signedAt: new Date() })
    const init = { method: 'POST', headers, body: new Uint8Array(body), signal: AbortSignal.timeout(PATIENCE) }
    try {
      const response = await fetch(url, init)
      await response.arrayBuffer()
      return response.ok
    } catch {
      return false
    }
  }

  /** Sends until it is acknowledged. @returns false for a sender who gave up */
  async function deliver(shot: Shot, mayGiveUp: boolean): Promise<boolean> {
    begins?.(shot)
    while (!(await post(shot))) {
      refused += 1
      if (mayGiveUp && random.chance(GIVES_UP)) return false
      await setTimeout(random.between(...PAUSE))
    }
    return true
  }

  /** What is still to come of a story counts on what was before. */
  async function tell(story: readonly Shot[]): Promise<void> {
    for (const shot of story) {
      const isAcknowledged = await deliver(shot, shot === story.at(-1))
      sent.push({ ...shot, isAcknowledged })
      if (!isAcknowledged || !random.chance(REPEATS)) continue
      repeated += 1
      if (!(await post(shot))) refused += 1
    }
  }

  async function work(): Promise<void> {
    while (wanted > 0) {
      const story = nextStory()
      wanted -= story.length
      await tell(story)
    }
  }

  return {
    async send(count) {
      wanted += count
      await Promise.all(Array.from({ length: senders }, work))
    },
    async reached(count) {
      while (sent.length < count) await setTimeout(5)
    },
    sent,
    get refused() {
      return refused
    },
    get repeated() {
      return repeated
    },
  }
}
