import { isGlob } from '../../lib/deliver/match.ts'
import { isSourceName } from '../../lib/webhooks/source.ts'
import { addressOption, readOptions, UsageError } from '../command.ts'
import { isLoopback } from './loopback.ts'
import { type Since, sinceOption } from './since.ts'
import { type ForwardTarget, targetOption } from './target.ts'

export const LISTEN_USAGE = `npm run listen -- --forward-to URL [options]

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

/** The parsed options. */
export interface ListenOptions {
  readonly target: ForwardTarget
  /** None means every source. */
  readonly sources: readonly string[]
  /** None means every type. */
  readonly types: readonly string[]
  readonly since: Since | undefined
  readonly secret: string | undefined
  readonly isJson: boolean
  /** Undefined means the local run. */
  readonly url: URL | undefined
  /** Undefined means that of the local run, or none. */
  readonly feed: URL | undefined
  readonly isPolling: boolean
  readonly user: string | undefined
}

/** Parses the arguments. @throws UsageError when they make no command */
export function readListenCommand(args: readonly string[], now: Date): ListenOptions {
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
    sources,
    types,
    since: since === undefined ? undefined : sinceOption(since, now),
    secret,
    isJson: json,
    url: url === undefined ? undefined : stageOption(url),
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
