import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import process, { cwd, env, exit, stderr, stdout } from 'node:process'
import { DIST, freshBuild, keepBuilds, LOCAL_DIST } from '../../infra/builds.ts'
import { hasBus } from '../../infra/deliver/stage.ts'
import { inWork } from '../../infra/project.ts'
import { teamOrExit } from '../../infra/team-config.ts'
import { destinationsOf } from '../../lib/deliver/configured/destinations.ts'
import type { Destination } from '../../lib/deliver/destination.ts'
import { ConfigError } from '../../lib/runtime/config.ts'
import { type Catalog, catalogFrom } from '../../lib/webhooks/sources/catalog.ts'
import { UsageError } from '../command.ts'
import { demoTokens } from '../demo-users.ts'
import { StartError } from '../errors.ts'
import type { OpenClient } from '../providers/clients.ts'
import { embeddedProviders, startProviders } from '../providers/embedded.ts'
import { type RunSettings, readSettings } from '../settings.ts'
import { prepareAdapter } from './adapter.ts'
import { CLOCK_FILE, startClock } from './clock.mjs'
import { openDataFolder } from './data-folder.ts'
import { AD_DEMO } from './directory/entries.ts'
import { startDirectory } from './directory/start.ts'
import { hiddenAddress, startDynamoDb, startProxy } from './emulators/dynamodb.ts'
import { startEventBus } from './emulators/event-bus.ts'
import { startSqsProcess } from './emulators/sqs.ts'
import {
  environmentOf,
  httpAddress,
  isDemoAd,
  isDirectoryEmulated,
  isEmulated,
  regionOf,
  wantedPorts,
  withProvided,
} from './environment.ts'
import { type Engine, startGateway } from './gateway.ts'
import { keepRunning, type Starting, Supervisor } from './parts.ts'
import { demandFree, type PortName, portsAt } from './ports.ts'
import { startProgress } from './progress.ts'
import { readyOf, screenOf, writeReady } from './ready.ts'
import { announceRun } from './running.ts'
import { keptSecrets, SECRETS_FILE } from './secrets.ts'
import { readStartOptions } from './start-options.ts'

interface Surroundings {
  /** The file of the process of the channels, if all runs from its sources. */
  readonly channels?: string
  /** From where options name files. */
  readonly folder?: string
}

/** Brings the service up as the command line and the settings say, or ends this process. */
export async function runLocally(engine: Engine, { channels, folder = cwd() }: Surroundings = {}): Promise<void> {
  try {
    const options = readStartOptions(folder)
    const team = await teamOrExit('local')
    const configured = { sources: catalogFrom(team), destinations: destinationsOf(team, 'local') }
    const settings = readSettings(env, configured.sources, configured.destinations)
    const isStrict = options.strict || settings.STRICT === 'true'
    if (options.dev && isStrict) throw new UsageError('--dev serves what changes, --strict what would be deployed')
    const restarts = await start(engine, settings, configured, { ...options, isStrict, channels })
    if (options.dev) await (await import('./dev.ts')).followSources(team, restarts)
  } catch (error) {
    if (error instanceof UsageError) {
      stderr.write(`${error.message} (npm start -- --help shows more)\n`)
      exit(2)
    }
    if (!(error instanceof ConfigError || error instanceof StartError)) throw error
    stderr.write(`${error.message}\n`)
    // All started parts are tied to this process and end with it.
    exit(1)
  }
}

interface Flags {
  readonly json: boolean
  readonly dev: boolean
  readonly isStrict: boolean
  readonly channels: string | undefined
  readonly clients: readonly OpenClient[] | undefined
  readonly time: Date | undefined
  readonly readyFile: string | undefined
}

/** What the team's configuration says. */
interface TeamParts {
  readonly sources: Catalog
  readonly destinations: readonly Destination[]
}

/**
 * Starts everything at once; only the gateway's provisioning waits for the bundles and the emulators.
 * @returns what starts parts of it again
 */
async function start(
  engine: Engine,
  settings: RunSettings,
  { sources, destinations }: TeamParts,
  { json, dev: isDev, isStrict, channels, clients, time, readyFile }: Flags,
) {
  const { PORT_OFFSET, DATA_DIR, EMULATOR } = settings
  const ports = portsAt(PORT_OFFSET)
  const isDynamoDbOurs = isEmulated(env, 'dynamodb')
  const isSqsOurs = isEmulated(env, 'sqs')
  const wanted = wantedPorts(env, hasBus(destinations))
  const isDirectoryOurs = isDirectoryEmulated(env)
  const providers = embeddedProviders(env)
  await demandFree(ports, wanted)
  writeReady(readyFile)
  keepBuilds()
  const progress = startProgress()
  const built = isStrict ? DIST : LOCAL_DIST

  const data = openDataFolder(DATA_DIR)
  process.once('exit', data.close)
  await beginTime(data.own(CLOCK_FILE), time)
  announceRun(ports.http, data.folder)
  const secretsFile = data.own(SECRETS_FILE)
  const filledIn = environmentOf(env, ports, keptSecrets(secretsFile, sources, destinations))
  const address = await hiddenAddress()
  const environment: NodeJS.ProcessEnv = {
    ...filledIn,
    // This process calls the engine directly; other processes use the guarded front.
    ...(isDynamoDbOurs && { AWS_ENDPOINT_URL_DYNAMODB: httpAddress(address.port, address.host) }),
    DEMO_TOKENS: JSON.stringify(await demoTokens(filledIn)),
  }
  const supervisor = new Supervisor(data.log.path ?? 'standard error')
  const gateway = startGateway({ engine, ports, environment, data, isStrict })
  supervisor.add(gateway.part)
  const adapter = prepareAdapter(
    ports,
    data,
    () => channels ?? realpathSync(inWork(join(built, 'adapter/index.mjs'))),
    isDev,
  )
  supervisor.add(adapter.part)
  const baseUrl = environment['BASE_URL'] ?? httpAddress(ports.http)
  const admins = environment['ADMIN_IDENTITIES']?.split(',')
  if (providers.length > 0) supervisor.add(startProviders(providers, ports, { baseUrl, admins, clients }, data).part)

  async function bringUp({ part, up }: Starting): Promise<void> {
    supervisor.add(part)
    await up
  }

  // A part in memory would restart empty, so its end ends the whole run.
  const kept = (begin: () => Starting): Starting => (data.name === 'memory' ? begin() : keepRunning(begin))
  const emulateDynamoDb = async () => {
    supervisor.add(await startProxy(ports.dynamodb, address, new URL(baseUrl)))
    await bringUp(kept(() => startDynamoDb(EMULATOR, address, data)))
  }
  const emulateSqs = () => bringUp(kept(() => startSqsProcess(ports.sqs, regionOf(env), data, baseUrl)))
  const emulateDirectory = () => bringUp(startDirectory(ports.ldap, data, isDemoAd(env) ? AD_DEMO : undefined))

  const directoryUp = isDirectoryOurs && progress.part('directory', emulateDirectory())
  await Promise.all([
    channels === undefined && freshBuild(built, (reason, work) => progress.part(`functions (${reason})`, work)),
    isDynamoDbOurs && progress.part('DynamoDB', emulateDynamoDb()),
    isSqsOurs && progress.part('SQS', emulateSqs()),
    emulateBus(wanted, ports.events, baseUrl, supervisor),
  ])
  gateway.go(isDev)
  const channelsUp = gateway.provided.then((provided) => adapter.start(withProvided(environment, provided)))
  await Promise.all([
    progress.part('tables', gateway.provided),
    progress.part('gateway', gateway.up),
    progress.part('channels', channelsUp),
    directoryUp,
  ])
  progress.done()

  const ready = readyOf(env, environment, ports, data.name)
  await reportDirectory(ready.ldap, environment)
  writeReady(readyFile, ready)
  stdout.write(shown(json, ready, data.log.path, PORT_OFFSET))
  // A provider loads at its first request, which takes longer than a login waits for it on a busy machine.
  for (const name of providers) void fetch(httpAddress(ports[name])).catch(() => {})
  return { channels: adapter.restart, gateway: gateway.restart }
}

function shown(json: boolean, ...given: Parameters<typeof screenOf>): string {
  return json ? `${JSON.stringify(given[0])}\n` : screenOf(...given)
}

async function beginTime(file: string | undefined, time: Date | undefined): Promise<void> {
  if (file !== undefined) return startClock(file, time)
  if (time) throw new StartError('--clock needs a place for a file: make TMPDIR writable.')
}

/** An embedded directory needs no look. */
async function reportDirectory(address: string | null, environment: NodeJS.ProcessEnv): Promise<void> {
  if (address === null || isDirectoryEmulated(env)) return
  const { directoryProblems } = await import('./directory/problems.ts')
  for (const problem of await directoryProblems(environment)) stderr.write(`directory: ${problem}\n`)
}

/** Only a destination that is a bus needs one. */
async function emulateBus(
  wanted: readonly PortName[],
  port: number,
  baseUrl: string,
  supervisor: Supervisor,
): Promise<void> {
  if (wanted.includes('events')) supervisor.add(await startEventBus(port, new URL(baseUrl)))
}
