import { env, exit, stdout } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { httpCarrier } from '../../lib/adapters/http/carrier.ts'
import { systemTimers } from '../../lib/runtime/async.ts'
import { type Clock, steadyClock, systemClock } from '../../lib/runtime/time.ts'
import { runCommand } from '../command.ts'
import { StartError } from '../errors.ts'
import { localRun } from '../local-run.ts'
import { HOST } from '../stack/ports.ts'
import { createChoice } from './listen/choice.ts'
import { feedNotices } from './listen/feed.ts'
import { createForward, createListener } from './listen/listener.ts'
import {
  type ForwardTarget,
  LISTEN_USAGE,
  type ListenOptions,
  positionIn,
  readListenCommand,
  type SigningSecret,
  signingSecret,
  startCursor,
} from './listen/options.ts'
import { follow, stageOutage } from './listen/outage.ts'
import { pollNotices } from './listen/poll.ts'
import { jsonReport, textReport } from './listen/report.ts'
import { credentialsFor, type StageApi, StageAway, stageAt } from './listen/stage.ts'

/** For one try, in milliseconds, as a destination has by default. */
const TIMEOUT_MS = 15_000

const sleep = (milliseconds: number) => setTimeout(milliseconds)

async function listen(options: ListenOptions): Promise<number> {
  const { target, sources, types, since, isJson, user } = options
  const secret = signingSecret(options.secret ?? env['GATEHOUSE_LISTEN_SECRET'])
  const { address, feed } = serviceOf(options)
  const clock = systemClock
  const credentials = credentialsFor(address, user, env, clock)
  const stage = stageAt({ address, credentials, clock })
  const cursor = startCursor(since, await firstAnswer(stage))
  const report = (isJson ? jsonReport : textReport)((text) => void stdout.write(text))
  const outage = stageOutage({ sleep, away: report.away, back: report.back })
  const source = sources.length === 1 ? sources[0] : undefined
  const polled = pollNotices({ stage, source, outage, sleep })
  const notices = feed ? feedNotices({ address: feed, credentials, source, timers: systemTimers }) : polled
  const listener = createListener(cursor, {
    notices: follow({ notices, polled, outage, refused: report.cursorRefused }),
    stage,
    outage,
    choice: createChoice({ sources, types, start: positionIn(cursor) }),
    forward: createForward({ carrier: carrierTo(target, secret, clock), clock, steady: steadyClock, sleep }),
    report,
  })
  const stop = (code: number): never => {
    report.stopped(listener.cursor)
    exit(code)
  }
  // The current try is cut off; a listener that starts with the cursor forwards its event again.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop(0))
  report.ready({
    forwardTo: target.url.href,
    from: feed ? `the event stream at ${feed.host}` : `the list of events at ${address.origin}`,
    secret: secret.isNew ? secret.value : undefined,
    cursor,
  })
  try {
    await listener.run()
  } finally {
    report.stopped(listener.cursor)
  }
  return 0
}

/** Without an address of its event stream, the list of events is polled. */
function serviceOf({ url, feed, isPolling }: ListenOptions) {
  if (url !== undefined) return { address: url, feed }
  const { address, ports } = localRun(env)
  return { address, feed: isPolling ? undefined : (feed ?? new URL(`http://${HOST}:${ports.grpc}`)) }
}

/** The clock of the service. @throws StartError if it does not answer, or refuses */
async function firstAnswer(stage: StageApi): Promise<Date> {
  try {
    return (await stage.page({ limit: '1' })).at
  } catch (error) {
    if (!(error instanceof StageAway)) throw error
    const [first = '', ...rest] = error.message
    throw new StartError(`${first.toUpperCase()}${rest.join('')}: start the service, or try again later.`, {
      cause: error,
    })
  }
}

/** Events are sent like those of an HTTP destination, built and signed in the same way. */
function carrierTo({ url, reach, resolve }: ForwardTarget, { value }: SigningSecret, clock: Clock) {
  const { isPrivate, isLocal } = reach
  const target = { to: 'http', url: url.href, isPrivate, headers: new Map() } as const
  const route = { name: 'listen', timeout: TIMEOUT_MS, target, isLocal }
  const secrets = new Map([['listen', [{ value }]]])
  return httpCarrier({ route, secrets: async () => secrets, clock }, resolve ? { resolve } : {})
}

if (import.meta.main)
  await runCommand({
    name: 'listen',
    usage: LISTEN_USAGE,
    run: (args) => listen(readListenCommand(args, systemClock.now())),
  })
