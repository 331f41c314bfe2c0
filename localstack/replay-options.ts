import { randomBytes } from 'node:crypto'
import { addressOption, readOptions, UsageError } from './command.ts'

export const REPLAY_USAGE = `npm run replay -- <filter> [options]

Retries FAILED webhook events, or delivers events of any status again. The filter needs at least one of:
  --status FAILED   all failed events; not with --destination
  --source NAME     events from this source
  --type NAME       events of this type
  --from TIME       received at that time or later, YYYY-MM-DDTHH:mm:ss in UTC
  --to TIME         received at that time or earlier
  --q TEXT          a part of the event id or of the error message
  --dead            events without a remaining retry

Options:
  --list              show the last 50 replays instead
  --destination NAME  deliver the events to this destination instead
  --delivery STATE    only those whose delivery there is DEAD, PENDING, PARKED or DELIVERED; may be given several times
  --dry-run         only count the events
  --rate N          start N events a second at most (10)
  --reason TEXT     kept in the history of each event
  --id ID           the name of the replay: repeat it to continue; without a filter, only watch the replay
  --url ADDRESS     of the service (the local run)
  --user NAME       an admin (the demo user of the local run); the password is in GATEHOUSE_PASSWORD,
                    or a token in GATEHOUSE_TOKEN
`

const OPTIONS = {
  status: { type: 'string' },
  source: { type: 'string' },
  type: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  q: { type: 'string' },
  dead: { type: 'boolean' },
  destination: { type: 'string' },
  delivery: { type: 'string', multiple: true },
  rate: { type: 'string' },
  reason: { type: 'string' },
  list: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  id: { type: 'string' },
  json: { type: 'boolean', default: false },
  url: { type: 'string' },
  user: { type: 'string' },
} as const

/** The parsed options. */
export interface ReplayOptions {
  readonly mode: 'count' | 'list' | 'run' | 'watch'
  readonly order: { readonly replayId: string; readonly filter: object; readonly [name: string]: unknown }
  /** Undefined means the local run. */
  readonly url: URL | undefined
  readonly user: string | undefined
  readonly json: boolean
}

/** Parses the arguments. @throws UsageError when they make no command */
export function readReplayCommand(args: readonly string[], now: Date): ReplayOptions {
  const { values } = readOptions({ args: [...args], options: OPTIONS })
  const { status, source, type, from, to, q, dead, delivery, destination, rate, reason, id, url, user, json } = values
  const filter = definedOf({ status, source, type, from, to, q, dead, delivery })
  const ratePerSecond = rate === undefined ? undefined : Number(rate)
  const order = { replayId: id ?? newId(now), filter, ...definedOf({ destination, reason, ratePerSecond }) }
  const common = { url: url === undefined ? undefined : addressOption(url), user, json }
  if (values.list) return { mode: 'list', order: onlyListed(values, order), ...common }
  const hasFilter = Object.keys(filter).length > 0
  if (!hasFilter && id === undefined) throw new UsageError('Name a filter, as --status FAILED, or the --id of a replay')
  const mode = values['dry-run'] ? 'count' : 'run'
  return { mode: hasFilter ? mode : 'watch', order, ...common }
}

/** What a list goes with. */
const LIST_OPTIONS = ['list', 'url', 'user', 'json']

function onlyListed<T>(values: Readonly<Record<string, unknown>>, order: T): T {
  const others = Object.entries(values).filter(([name, value]) => value !== false && !LIST_OPTIONS.includes(name))
  if (others.length === 0) return order
  throw new UsageError('--list shows all replays: it goes with --json, --url and --user only')
}

function definedOf(values: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

function newId(now: Date): string {
  return `replay-${now.toISOString().slice(0, 19)}-${randomBytes(3).toString('hex')}`
}
