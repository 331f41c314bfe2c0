import type { SenderCredentials } from '../../localstack/senders/signers.ts'
import { type Case, casesOf, type Verdict, WAY_SECONDS } from './cases.ts'
import type { Call, Sdk } from './sdk.ts'

/** Where the calls go. */
export interface Service {
  readonly address: string
  /** Of the sender, as the service knows it. */
  readonly credentials: SenderCredentials
  /** The status that a call is answered with. */
  readonly send: (call: Call) => Promise<number>
  /** In milliseconds, from any moment on. */
  readonly now: () => number
}

/** How one call was judged. */
export interface Judged {
  readonly name: string
  /** By the service: a verdict, or what else it answered. */
  readonly here: string
  /** By the SDK. */
  readonly there: Verdict
  readonly grade: 'equal' | 'decided' | 'different'
}

interface Decision {
  readonly name: string
  readonly here: Verdict
  /** All, if it names none. */
  readonly sources?: readonly string[]
  readonly why: string
}

/** Where the service judges otherwise than the SDKs on purpose. */
export const DECISIONS: readonly Decision[] = [
  { name: 'in the future', here: 'refused', why: 'a call signed for later could be kept until then' },
  {
    name: 'too old',
    here: 'accepted',
    sources: ['paddle', 'linear', 'workos'],
    why: 'a retry may bear the time of the first try',
  },
]

/** Has the service and the SDK judge the same calls. */
export async function compare(sdk: Sdk, service: Service): Promise<readonly Judged[]> {
  const judged: Judged[] = []
  for (const one of casesOf(sdk, `${service.address}/webhooks/${sdk.source}`, service.credentials))
    judged.push(await judgeInTime(one, sdk, service))
  return judged
}

/** On a busy machine a call may grow too old on its way, and then differ for nothing. */
async function judgeInTime(one: Case, sdk: Sdk, service: Service, tries = 5): Promise<Judged> {
  const began = service.now()
  const judged = await judge(one, sdk, service)
  const isLate = service.now() - began > WAY_SECONDS * 1000
  return judged.grade === 'different' && isLate && tries > 1 ? judgeInTime(one, sdk, service, tries - 1) : judged
}

async function judge({ name, expected, call: sign }: Case, sdk: Sdk, { credentials, send }: Service): Promise<Judged> {
  const call = await sign()
  const there = await verdictOf(sdk, call, credentials.secret)
  const here = verdictIn(await send(call))
  if (here === there && there === (expected ?? there)) return { name, here, there, grade: 'equal' }
  const isDecided = DECISIONS.some(
    (decision) => decision.name === name && decision.here === here && (decision.sources?.includes(sdk.source) ?? true),
  )
  return { name, here, there, grade: isDecided ? 'decided' : 'different' }
}

/** Most SDKs refuse by throwing. */
async function verdictOf(sdk: Sdk, call: Call, secret: string): Promise<Verdict> {
  try {
    return (await sdk.accepts(call, secret)) === false ? 'refused' : 'accepted'
  } catch {
    return 'refused'
  }
}

/** A call that was rejected, or that broke something, is not refused. */
function verdictIn(status: number): string {
  if (status >= 200 && status < 300) return 'accepted'
  return status === 400 || status === 401 ? 'refused' : `answered ${status}`
}
