import { randomBytes } from 'node:crypto'
import { stderr, stdout } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { Presets, SingleBar } from 'cli-progress'
import * as z from 'zod/mini'
import {
  addressOption,
  FLAG,
  type Print,
  printerFor,
  readOptions,
  runCommand,
  shownText,
  TEXT,
  UsageError,
} from '../command.ts'
import { nearestName } from '../nearest.mjs'
import { serviceApi } from '../operator/api-client.ts'

const USAGE = `npx gatehouse replay <filter> [options]

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
  --dry-run         only count the events; with --delivery also list them
  --rate N          start N events a second at most (10)
  --reason TEXT     kept in the history of each event
  --id ID           the name of the replay: repeat it to continue; without a filter, only watch the replay
  --url ADDRESS     of the service (the local run)
  --user NAME       an admin (the demo user of the local run); the password is in GATEHOUSE_PASSWORD,
                    or a token in GATEHOUSE_TOKEN
`

const OPTIONS = {
  status: TEXT,
  source: TEXT,
  type: TEXT,
  from: TEXT,
  to: TEXT,
  q: TEXT,
  dead: { type: 'boolean' },
  destination: TEXT,
  delivery: { type: 'string', multiple: true },
  rate: TEXT,
  reason: TEXT,
  list: FLAG,
  'dry-run': FLAG,
  id: TEXT,
  json: FLAG,
  url: TEXT,
  user: TEXT,
} as const

interface ReplayFilter {
  readonly source?: string
}

/** The parsed options. */
interface ReplayOptions {
  readonly mode: 'count' | 'list' | 'run' | 'watch'
  readonly order: { readonly replayId: string; readonly filter: ReplayFilter; readonly [name: string]: unknown }
  /** Of the deliveries that a replay would send; undefined without a state of theirs. */
  readonly list: string | undefined
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
  const list = q === undefined && dead === undefined ? listPath({ ...values }) : undefined
  const common = { list, url: url === undefined ? undefined : addressOption(url), user, json }
  if (values.list) return { mode: 'list', order: onlyListed(values, order), ...common }
  const hasFilter = Object.keys(filter).length > 0
  if (!hasFilter && id === undefined) throw new UsageError('Name a filter, as --status FAILED, or the --id of a replay')
  const mode = values['dry-run'] ? 'count' : 'run'
  return { mode: hasFilter ? mode : 'watch', order, ...common }
}

/** @returns undefined without a state: events then have no list */
function listPath({ destination, delivery, ...given }: Readonly<Record<string, unknown>>): string | undefined {
  if (delivery === undefined) return undefined
  const { source, type, from, to } = given
  const fields = Object.entries(definedOf({ limit: 200, source, type, from, to, state: delivery }))
  const query = fields.flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, `${value}`]))
  return `/api/destinations/${encodeURIComponent(`${destination}`)}/deliveries?${new URLSearchParams(query)}`
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

function eventsMatch(count: number): string {
  return count === 1 ? '1 event matches' : `${count} events match`
}

function newId(now: Date): string {
  return `replay-${now.toISOString().slice(0, 19)}-${randomBytes(3).toString('hex')}`
}

/** The interval between requests for the progress, in milliseconds. */
const INTERVAL = 500

/** @returns the exit code: 0 if no event failed, 3 when events failed again */
async function replay({ mode, order, list, url, user, json }: ReplayOptions): Promise<number> {
  const print = printerFor(json)
  const api = serviceApi(url, user)
  const find = () => api.get(`${PATH}/${encodeURIComponent(order.replayId)}`, replayState)
  if (mode === 'list') {
    const { replays } = await api.get(PATH, replayList)
    for (const listed of replays) print(listed, lineOf(listed))
    if (replays.length === 0) print(undefined, 'There are no replays\n')
    return 0
  }
  await checkSource(order.filter, api)
  if (mode === 'count') {
    await printChosen(list, api, print)
    const { matched } = await api.post(PATH, { ...order, dryRun: true }, counted)
    print({ matched }, `${eventsMatch(matched)}\n`)
    return 0
  }
  const start = mode === 'watch' ? await find() : await api.post(PATH, order, replayState)
  stdout.write(`${order.replayId}: ${eventsMatch(start.matched)}; it continues even if you stop watching\n`)
  const { matched, done, failed } = await watch(start, find)
  const result =
    order['destination'] === undefined
      ? `${done} processed, ${failed} failed again`
      : `${matched} ordered, ${done} delivered by now, ${failed} dead`
  stdout.write(`${order.replayId} is done: ${result}\n`)
  return failed === 0 ? 0 : 3
}

/** @throws UsageError for a source that has no events, but another one has nearly its name */
async function checkSource({ source = '' }: ReplayFilter, { get }: ReturnType<typeof serviceApi>): Promise<void> {
  if (source === '') return
  const names = (await get('/api/webhooks/sources', sourceNames)).sources.map((one) => one.source)
  const meant = names.includes(source) ? undefined : nearestName(source, names)
  if (meant !== undefined) throw new UsageError(`There is no source ${source}: did you mean ${meant}?`)
}

/** Prints the deliveries that a replay would send. */
async function printChosen(
  list: string | undefined,
  { get }: ReturnType<typeof serviceApi>,
  print: Print,
): Promise<void> {
  for (let path = list; path !== undefined; ) {
    const { deliveries, nextCursor }: z.output<typeof deliveryPage> = await get(path, deliveryPage)
    for (const one of deliveries) print(one, deliveryLine(one))
    path = nextCursor === null ? undefined : `${list}&cursor=${nextCursor}`
  }
}

function deliveryLine({ receivedAt, status, source, eventId, type, answer }: ChosenDelivery): string {
  return `${shownText([receivedAt, status, `${source}/${eventId}`, type, answer ?? ''].join('  '))}\n`
}

function lineOf({ replayId, state, matched, done, failed, ...order }: ListedReplay): string {
  const { destination, reason, user, acceptedAt } = order
  const progress = `${state}  ${done + failed}/${matched}  ${done} done  ${failed} failed`
  const where = destination === null ? '' : `  to ${destination}`
  return `${acceptedAt}  ${replayId}  ${progress}${where}  by ${user}${reason === null ? '' : `: ${reason}`}\n`
}

/** Shows the progress until the replay is done. */
async function watch(start: ReplayState, find: () => Promise<ReplayState>): Promise<ReplayState> {
  const progress = stderr.isTTY ? barProgress(stderr) : lineProgress((line) => stdout.write(line))
  let state = start
  progress.show(state)
  try {
    while (state.state !== 'DONE') {
      await setTimeout(INTERVAL)
      state = await find()
      progress.show(state)
    }
  } finally {
    progress.end()
  }
  return state
}

/** The progress of a replay, as the service reports it. */
type ReplayState = z.output<typeof replayState>

const replayState = z.object({
  replayId: z.string(),
  state: z.enum(['RUNNING', 'DONE']),
  matched: z.number(),
  done: z.number(),
  failed: z.number(),
})

const replayList = z.object({
  replays: z.array(
    z.extend(replayState, {
      destination: z.nullable(z.string()),
      reason: z.nullable(z.string()),
      user: z.string(),
      acceptedAt: z.string(),
    }),
  ),
})

/** A replay as the list of replays has it. */
type ListedReplay = z.output<typeof replayList>['replays'][number]

const deliveryPage = z.object({
  deliveries: z.array(
    z.object({
      ...{ source: z.string(), eventId: z.string(), type: z.string(), receivedAt: z.string(), status: z.string() },
      answer: z.nullable(z.string()),
    }),
  ),
  nextCursor: z.nullable(z.string()),
})

type ChosenDelivery = z.output<typeof deliveryPage>['deliveries'][number]

const counted = z.object({ matched: z.number() })

const sourceNames = z.object({ sources: z.array(z.object({ source: z.string() })) })

const PATH = '/api/webhooks/replays'

/** Shows the progress of a replay. */
interface ProgressDisplay {
  show(state: ReplayState): void
  end(): void
}

/** A bar that is redrawn in place. */
export function barProgress(stream: NodeJS.WritableStream): ProgressDisplay {
  const format = '{bar} {value}/{total}  {done} done  {failed} failed  {eta_formatted} left'
  const bar = new SingleBar({ format, stream, hideCursor: true, etaBuffer: 50 }, Presets.shades_classic)
  let isStarted = false
  return {
    show({ matched, done, failed }) {
      if (!isStarted) bar.start(matched, 0, { done, failed })
      isStarted = true
      bar.setTotal(matched)
      bar.update(done + failed, { done, failed })
    },
    end: () => bar.stop(),
  }
}

/** One line per change, for logs and pipes. */
export function lineProgress(write: (line: string) => void): ProgressDisplay {
  let last = ''
  return {
    show({ replayId, matched, done, failed }) {
      const line = `${replayId}  ${done + failed}/${matched}  ${done} done  ${failed} failed\n`
      if (line !== last) write(line)
      last = line
    },
    end() {},
  }
}

if (import.meta.main)
  await runCommand({ name: 'replay', usage: USAGE, run: (args) => replay(readReplayCommand(args, new Date())) })
