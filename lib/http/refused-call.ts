import type { Log } from '../runtime/log.ts'
import type { Intake } from '../webhooks/admit.ts'
import type { RefusalCounter } from '../webhooks/refusals/refusal.ts'
import {
  type RefusalSample,
  type RefusalVerdict,
  UNKNOWN_SOURCE,
  WebhookRefused,
} from '../webhooks/refusals/refusal.ts'
import type { Headers } from '../webhooks/schemes/scheme.ts'
import { addressOf, type HttpEvent, sentBytes, sentSize, type Trust } from './message.ts'
import type { EndpointContext } from './middleware/call.ts'
import { signedCall } from './webhook-call.ts'

interface KeepingParts {
  readonly intake: Pick<Intake, 'baseUrl' | 'clock' | 'secrets' | 'toleranceSeconds'> & Trust
  readonly counter: RefusalCounter
  readonly log: Log
}

/** Counts what the intake refuses, and keeps of some calls what operators want to know. Other failures are not its. */
export function keepingRefusals({ intake, counter, log }: KeepingParts): NonNullable<EndpointContext['refused']> {
  async function sampleOf(refused: WebhookRefused, event: HttpEvent, meant?: string): Promise<RefusalSample> {
    return {
      verdict: meant === undefined ? await verdictOn(refused, event) : nearVerdict(refused.sender.name, meant),
      address: addressOf(event, intake),
      size: sentSize(event),
      headers: shownHeaders(event.headers, refused.sender.keptHeaders),
    }
  }

  async function verdictOn(refused: WebhookRefused, event: HttpEvent): Promise<RefusalVerdict> {
    const { name, scheme, lateSeconds } = refused.sender
    const { secrets, clock, toleranceSeconds, baseUrl } = intake
    const receiver = { name, scheme, lateSeconds, toleranceSeconds, secrets: secrets.current, now: clock.now() }
    const call = () => signedCall(event, sentBytes(event), baseUrl)
    try {
      const { explainRefusal } = await import('../webhooks/explain/explain.ts')
      return explainRefusal(refused, sentSize(event), call, receiver)
    } catch (error) {
      // Not the error itself: what failed on a body may quote it.
      log.warn('refusal not explained', { source: name, error: error instanceof Error ? error.name : 'unknown' })
      return { reason: refused.reason, sentence: 'Its cause was not found out.' }
    }
  }

  return (error, event) => {
    if (!(error instanceof WebhookRefused)) return undefined
    const { sender, reason } = error
    const { current } = intake.secrets
    if (current.has(sender.name)) return counter.note({ source: sender.name, reason }, () => sampleOf(error, event))
    const meant = [...current.keys()].find((name) => isNear(sender.name, name))
    return counter.note({ source: meant ?? UNKNOWN_SOURCE, reason }, () => sampleOf(error, event, meant))
  }
}

/** For a source, because the calls to its address by mistake are what its operators look for. */
function nearVerdict(name: string, meant: string): RefusalVerdict {
  return { reason: 'near-address', sentence: `No secret is for /webhooks/${name}; was /webhooks/${meant} meant?` }
}

/** Shorter names are near to too many others. */
const MINIMUM_NEAR = 3

/** Whether one letter is missing, added or another one, or two neighbors are swapped. */
function isNear(given: string, name: string): boolean {
  const shorter = Math.min(given.length, name.length)
  if (shorter < MINIMUM_NEAR || name.endsWith('.verify')) return false
  let begin = 0
  while (begin < shorter && given[begin] === name[begin]) begin++
  let end = 0
  while (end < shorter - begin && given.at(-1 - end) === name.at(-1 - end)) end++
  const [one = '', other = ''] = [given, name].map((text) => text.slice(begin, text.length - end))
  return Math.max(one.length, other.length) <= 1 || (one.length === 2 && one === [...other].reverse().join(''))
}

/** Headers whose values are no secrets, for any sender. Never add credentials, cookies, tokens or signatures. */
const SHOWN = ['content-encoding', 'content-length', 'content-type', 'user-agent', 'x-request-id']

/** The most that one row stores of a stranger's headers. */
const MAXIMUM_HEADERS = 50
const MAXIMUM_NAME = 64
const MAXIMUM_VALUE = 256

/**
 * The headers of a refused call as operators see them: null for every value that is not known to be harmless.
 * @param others further headers that the source stores, in lower case
 */
export function shownHeaders(headers: Headers, others: readonly string[] = []): Record<string, string | null> {
  const shown = new Set([...SHOWN, ...others])
  return Object.fromEntries(
    Object.entries(headers)
      .slice(0, MAXIMUM_HEADERS)
      .map(([name, value = '']) => [
        name.slice(0, MAXIMUM_NAME),
        shown.has(name) ? value.slice(0, MAXIMUM_VALUE) : null,
      ]),
  )
}
