import { randomBytes } from 'node:crypto'
import type { LookupFunction } from 'node:net'
import { ClosedAddress, demandReachable, type NetworkReach } from '../../../lib/adapters/http/guard.ts'
import { isGlob } from '../../../lib/deliver/match.ts'
import { firstIdAt } from '../../../lib/runtime/ids.ts'
import { fromLocalDateTime } from '../../../lib/runtime/time.ts'
import { SETTLING_MS, WatchCursor, watchCursorOf } from '../../../lib/webhooks/live/cursor.ts'
import { HMAC_SHA256_WHSEC } from '../../../lib/webhooks/schemes/methods.ts'
import { isSourceName } from '../../../lib/webhooks/source.ts'
import { addressOption, readOptions, UsageError } from '../../command.ts'

export const LISTEN_USAGE = `npx gatehouse listen --forward-to URL [options]

Forwards the webhook events of a running service to a server on this machine, as an HTTP destination would. It signs them with a
secret that it prints at the start. Ctrl-C ends it and prints a cursor to continue from.

  --forward-to URL  post to this address; path and query stay unchanged
  --source NAME     only events of this source; can be repeated
  --type GLOB       only events of this type, as payment_intent.* or orders/**; can be repeated
  --since WHEN      begin with earlier events: a time (YYYY-MM-DDTHH:mm:ss in UTC), how long ago (90s, 10m, 2h, 1d),
                    or a cursor that an earlier run printed
  --secret SECRET   sign with this secret: whsec_ and base64; also GATEHOUSE_LISTEN_SECRET
  --allow-remote    allow another machine as the receiver, over https
  --json            one JSON object a line
  --url ADDRESS     of the service (the local run)
  --grpc ADDRESS    of its event stream (that of the local run; for other services the list of events is polled)
  --poll            always poll the list of events
  --user NAME       an admin (the demo user of the local run); the password is in GATEHOUSE_PASSWORD, or a token in
                    GATEHOUSE_TOKEN, or an API key in GATEHOUSE_API_KEY
`

const OPTIONS = {
  'forward-to': { type: 'string' },
  source: { type: 'string', multiple: true, default: [] as string[] },
  type: { type: 'string', multiple: true, default: [] as string[] },
  since: { type: 'string' },
  secret: { type: 'string' },
  'allow-remote': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  url: { type: 'string' },
  grpc: { type: 'string' },
  poll: { type: 'boolean', default: false },
  user: { type: 'string' },
} as const

export type ListenOptions = ReturnType<typeof readListenCommand>

/** Parses the arguments. @throws UsageError when they make no command */
export function readListenCommand(args: readonly string[], now: Date) {
  const { values } = readOptions({ args: [...args], options: OPTIONS })
  const { source: sources, type: types, since, secret, json, url, grpc, poll, user } = values
  if (values['forward-to'] === undefined)
    throw new UsageError('Name the server: --forward-to http://127.0.0.1:4000/hooks')
  if (poll && grpc !== undefined) throw new UsageError('--poll asks no event stream: leave out --grpc')
  const strange = sources.find((name) => !isSourceName(name))
  if (strange !== undefined) throw new UsageError(`--source ${strange}: no source has such a name`)
  const wrong = types.find((glob) => !isGlob(glob))
  if (wrong !== undefined)
    throw new UsageError(
      `--type ${wrong}: a star stands for a whole segment between dots or slashes, and none is empty`,
    )
  return {
    target: targetOption(values['forward-to'], values['allow-remote']),
    /** None means every source. */
    sources,
    /** None means every type. */
    types,
    since: since === undefined ? undefined : sinceOption(since, now),
    secret,
    isJson: json,
    /** Undefined means the local run. */
    url: url === undefined ? undefined : stageOption(url),
    /** Undefined means that of the local run, or none. */
    feed: grpc === undefined ? undefined : feedAddress(grpc),
    isPolling: poll,
    user,
  }
}

/** Credentials go there, and payloads come back. */
function stageOption(text: string): URL {
  const url = addressOption(text)
  if (url.protocol === 'https:' || isLoopback(url)) return url
  throw new UsageError('--url must be https: credentials and payloads are not sent in the clear')
}

/**
 * Parses the address of an event stream: a URL, or a host and port as `npm start` prints them, which mean TLS unless the
 * host is this machine.
 * @throws UsageError
 */
function feedAddress(text: string): URL {
  const url = text.includes('://') ? parsed(text) : guessed(text)
  if (url === undefined || url.pathname !== '/' || url.search !== '' || url.username !== '')
    throw new UsageError('--grpc must be a host and port, or an https address without a path')
  if (url.protocol === 'http:' && !isLoopback(url))
    throw new UsageError('--grpc must be https: credentials are not sent in the clear')
  return url
}

function guessed(text: string): URL | undefined {
  const plain = parsed(`http://${text}`)
  return plain && isLoopback(plain) ? plain : parsed(`https://${text}`)
}

function parsed(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && ['http:', 'https:'].includes(url.protocol) ? url : undefined
}

/** Where events are forwarded to. */
export interface ForwardTarget {
  readonly url: URL
  readonly reach: NetworkReach
  /** Of loopback names, also if a name server says otherwise. */
  readonly resolve: LookupFunction | undefined
}

/** Payloads hold data of customers: they leave this machine only if that is wanted, and then encrypted. */
function targetOption(text: string, isRemoteAllowed: boolean): ForwardTarget {
  const url = addressOption(text, '--forward-to')
  const isHere = isLoopback(url)
  if (!isHere && !isRemoteAllowed)
    throw new UsageError('--forward-to is not on this machine: --allow-remote lets the payloads go there')
  if (!isHere && url.protocol !== 'https:')
    throw new UsageError('--forward-to must be https: payloads do not leave this machine in the clear')
  const reach = { isPrivate: !isHere, isLocal: isHere }
  demandOpen(url, reach)
  return { url, reach, resolve: isHere ? loopbackLookup : undefined }
}

/** @throws UsageError */
function demandOpen(url: URL, reach: NetworkReach): void {
  try {
    demandReachable(url, reach)
  } catch (error) {
    if (error instanceof ClosedAddress) throw new UsageError(`--forward-to: ${error.message}`, { cause: error })
    throw error
  }
}

/** Both addresses, as servers for development listen on either. */
const loopbackLookup: LookupFunction = (_, { all }, done) => {
  if (!all) return done(null, '127.0.0.1', 4)
  done(null, [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ])
}

const NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Whether an address is of this machine by its name: those below `localhost` are loopback names too (RFC 6761, 6.3). */
function isLoopback({ hostname }: URL): boolean {
  return NAMES.includes(hostname) || hostname.endsWith('.localhost')
}

/** The beginning of a run; times in milliseconds. */
type Since =
  | { readonly kind: 'cursor'; readonly cursor: string }
  | { readonly kind: 'time'; readonly at: number }
  | { readonly kind: 'ago'; readonly milliseconds: number }

const UNITS = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
])

/** The greatest difference between two clocks, in milliseconds. */
const SKEW_MS = 60_000

/** Parses the option. @throws UsageError */
function sinceOption(text: string, now: Date): Since {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count !== undefined) return { kind: 'ago', milliseconds: Number(count) * (UNITS.get(unit) ?? 0) }
  const at = fromLocalDateTime(text)?.getTime()
  if (at !== undefined && at > now.getTime() + SKEW_MS) throw new UsageError('--since lies in the future')
  if (at !== undefined) return { kind: 'time', at }
  if (WatchCursor.read(text)) return { kind: 'cursor', cursor: text }
  throw new UsageError(
    '--since must be a time (YYYY-MM-DDTHH:mm:ss in UTC), how long ago (10m), or a cursor that was printed',
  )
}

/**
 * The cursor of the beginning of a run. A time is moved a little back, because changes become visible late.
 * @param now by the clock of the service
 */
export function startCursor(since: Since | undefined, now: Date): string {
  if (since?.kind === 'cursor') return since.cursor
  if (since?.kind === 'time') return cursorAt(since.at - SETTLING_MS)
  return cursorAt(now.getTime() - (since?.milliseconds ?? 0))
}

/** Everything before a time counts as received. */
function cursorAt(milliseconds: number): string {
  const first = firstIdAt(Math.max(0, milliseconds))
  return watchCursorOf(first > 0n ? first - 1n : first, [])
}

/** A cursor that is short enough for one line: the events that it leaves out are sent again. */
export function shortCursor(cursor: string): string {
  return watchCursorOf(positionIn(cursor), [])
}

/** All changes up to this position count as received. @throws Error for a text that is no cursor */
export function positionIn(cursor: string): bigint {
  const progress = WatchCursor.read(cursor)
  if (progress) return progress.settled
  throw new Error('the service gave a text that is no cursor')
}

/** Standard Webhooks 1.0.0, "Signature scheme": the length of a key in bytes. */
const LENGTH = { least: 24, most: 64 } as const

export interface SigningSecret {
  /** `whsec_` and base64. */
  readonly value: string
  /** Made for this run; one that was given is not printed again. */
  readonly isNew: boolean
}

/** The given secret, or a new one. @throws UsageError for a text that is no secret */
export function signingSecret(given: string | undefined): SigningSecret {
  if (given === undefined || given === '') return { value: `whsec_${randomBytes(32).toString('base64')}`, isNew: true }
  const length = HMAC_SHA256_WHSEC.readKey(given)?.material.symmetricKeySize ?? 0
  if (given.startsWith('whsec_') && length >= LENGTH.least && length <= LENGTH.most)
    return { value: given, isNew: false }
  throw new UsageError('The secret must be whsec_ and the base64 of 24 to 64 bytes')
}
