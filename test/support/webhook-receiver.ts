import { Buffer } from 'node:buffer'
import { ROUTES } from '../../lib/contract/gen/endpoints.ts'
import { type ErrorCode, ServiceError } from '../../lib/errors.ts'
import { answer, signedByName } from '../../lib/http/provider-call.ts'
import { NO_NETWORKS } from '../../lib/runtime/address.ts'
import { logAudit } from '../../lib/webhooks/audit.ts'
import type { WebhookEvent } from '../../lib/webhooks/event.ts'
import { createInbox } from '../../lib/webhooks/inbox.ts'
import { providerOf } from '../../lib/webhooks/providers/index.ts'
import { NO_LIMIT } from '../../lib/webhooks/rate/limiter.ts'
import { retentionOf } from '../../lib/webhooks/retention/retention.ts'
import { createRotatingKeys, type KeyServer } from '../../lib/webhooks/rotating-keys.ts'
import type { Sample } from '../../lib/webhooks/sample.ts'
import type { SignedCall } from '../../lib/webhooks/schemes/scheme.ts'
import { type Catalog, KNOWN } from '../../lib/webhooks/sources/catalog.ts'
import { bytesOf } from '../../localstack/senders/message.ts'
import { type ProvenCall, prove } from '../../localstack/senders/prove.ts'
import { type SenderCredentials, signerOf } from '../../localstack/senders/signers.ts'
import { type FixedClock, fixedClock } from './fakes/clock.ts'
import { httpEvent } from './fakes/http.ts'
import { countingIds } from './fakes/ids.ts'
import { memoryDocuments } from './fakes/key-server.ts'
import { type RecordingLog, recordingLog } from './fakes/log.ts'
import { MemoryStore } from './fakes/memory-store.ts'
import { recordingMetrics } from './fakes/metrics.ts'
import { POLICY } from './fakes/webhooks.ts'

const BASE_URL = new URL('https://hooks.example.com')

const credentials = new Map<string, SenderCredentials>()

/** What a sender and the receiver share, made when it is first wanted: some keys take their time. */
function credentialsOf(name: string): SenderCredentials {
  const made = credentials.get(name) ?? signerOf(providerOf(name).scheme.methods[0]).make()
  credentials.set(name, made)
  return made
}

/** The secret that {@link signedBy} signs for. */
export function sharedSecret(name: string): string {
  return credentialsOf(name).secret
}

/** A message before it is signed; a body that is neither text nor bytes is written as the sender writes its own. */
export interface Unsigned {
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body: unknown
  /** With its question mark. */
  readonly query?: string
}

/**
 * The call that a sender makes of a message.
 * @param address that it calls, or believes to call
 * @throws StartError for a body that it cannot sign
 */
export function signedBy(
  name: string,
  sender: Sample,
  message: Unsigned,
  signedAt: Date,
  address = `${BASE_URL.origin}/webhooks/${name}`,
): ProvenCall {
  const { body, query = '' } = message
  const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? Buffer.from(body) : bytesOf(sender, body)
  const type = sender.isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  const sent = { headers: sentHeaders({ 'content-type': type, ...message.headers }), body: bytes }
  const url = address + query
  return prove(sent, { name, sender, credentials: credentialsOf(name), url, signedAt })
}

/** Without those that are undefined. */
export function sentHeaders(headers: SignedCall['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/**
 * What became of a call: stored, or stored and marked as one that may be a duplicate (`alike`) or that came under the id
 * of another (`conflict`); held, because nobody signed its id or its type; a duplicate, or one whose other content was noted (`disputed`); or refused.
 */
export type Outcome = 'stored' | 'alike' | 'held' | 'conflict' | 'duplicate' | 'disputed' | 'refused'

/** The function of `POST /webhooks/{provider}`, with everything behind the gateway and a store in memory. */
export interface Receiver {
  readonly store: MemoryStore
  readonly clock: FixedClock
  readonly log: RecordingLog
  /** The status of a reply, or the code of a refusal. @throws Error for anything else */
  answer(call: SignedCall): Promise<number | ErrorCode>
  receive(call: SignedCall): Promise<Outcome>
  /** The events, the oldest first. */
  events(): readonly WebhookEvent[]
}

interface Known {
  /** By default the one that {@link signedBy} signs for. */
  readonly secrets?: readonly string[]
  /** Where keys come from that no secret holds. */
  readonly server?: KeyServer
  readonly sources?: Catalog
}

/** A receiver that knows one sender's secrets. */
export function receiverFor(name: string, { secrets, server, sources = KNOWN }: Known = {}): Receiver {
  const clock = fixedClock()
  const store = new MemoryStore({ clock, retention: retentionOf({}) })
  const log = recordingLog()
  const audit = logAudit(log)
  const known = secrets ?? [sharedSecret(name)]
  const read = signedByName(
    ROUTES.webhookProvider,
    {
      baseUrl: BASE_URL,
      secrets: { current: new Map([[name, known.map((value, at) => ({ value, label: `${name}#${at + 1}` }))]]) },
      ...(server && {
        keys: createRotatingKeys({ server, good: memoryDocuments(), clock, log, metrics: recordingMetrics() }),
      }),
      toleranceSeconds: undefined,
      maxBodyBytes: 4_194_304,
      proofOf: () => 'required',
      clock,
      audit,
      limiter: NO_LIMIT,
      trustedProxies: NO_NETWORKS,
    },
    sources,
  )
  const inbox = createInbox({
    events: store.eventStore,
    queue: store.retryQueue,
    policy: POLICY,
    clock,
    ids: countingIds(),
    audit,
    log,
  })
  const events = () => [...store.events.values()].map(({ event }) => event).sort(byId)
  const conflicts = () => events().reduce((sum, { idConflict }) => sum + (idConflict?.count ?? 0), 0)

  async function answerTo({ method, url, headers, body }: SignedCall): Promise<number | ErrorCode> {
    const [path = '', query = ''] = url.slice(BASE_URL.origin.length).split(/\?(.*)/s)
    const event = httpEvent({ method, path, rawQueryString: query, headers: sentHeaders(headers), body })
    try {
      return (await answer(await read(event), inbox, clock)).statusCode
    } catch (error) {
      if (error instanceof ServiceError) return error.code
      throw error
    }
  }

  return {
    store,
    clock,
    log,
    events,
    answer: answerTo,
    async receive(call) {
      const [before, disputed] = [events().at(-1), conflicts()]
      const status = await answerTo(call)
      if (status !== 200) return 'refused'
      const last = events().at(-1)
      if (last && last.id !== before?.id) return markOf(last)
      return conflicts() > disputed ? 'disputed' : 'duplicate'
    },
  }
}

function byId({ id: one }: WebhookEvent, { id: other }: WebhookEvent): number {
  return Number(one - other)
}

function markOf({ held, idConflict, possibleDuplicateOf }: WebhookEvent): Outcome {
  if (held) return 'held'
  if (possibleDuplicateOf !== undefined) return 'alike'
  return idConflict ? 'conflict' : 'stored'
}
