import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { promisify } from 'node:util'
import { deliveryQueues } from '../../infra/deliver/resources.ts'
import { stageDestinations } from '../../infra/deliver/stage.ts'
import { ENGINE, packageFolder } from '../../infra/project.ts'
import { namedResources, teamResources } from '../../infra/team-resources.ts'
import { FLAG, printerFor, readOptions, runCommand } from '../command.ts'
import { StartError } from '../errors.ts'
import { localRun } from '../local-run.ts'
import { enterLocalCloud, type ServiceEndpoints } from '../stack/environment.ts'
import { localResources, type Properties, type Resource, seedUsers, targetQueues } from '../stack/resources.ts'

const USAGE = `npx gatehouse provision [--json]

Makes the tables and queues of serverless.yml, the queues of destinations and the demo users at AWS_ENDPOINT_URL, else in the local run,
and prints their addresses. Existing ones stay. npm start does the same; use this command before you start the container of
localstack/compose.yaml.
`

async function provision(args: readonly string[]): Promise<number> {
  const { values } = readOptions({ args: [...args], options: { json: FLAG } })
  const endpoints = enterLocalCloud(env, localRun(env).ports)
  const [{ service, resources, provider }, destinations, team] = await Promise.all([
    describedService(),
    stageDestinations('local'),
    teamResources(),
  ])
  const prefix = `${service}-local`
  const ofDestinations = { ...deliveryQueues(destinations, prefix), ...targetQueues(destinations) }
  const local = localResources({ ...resources.Resources, ...ofDestinations, ...namedResources(team, prefix) })
  try {
    const made = await local.provideAll()
    await seedUsers(String(provider.environment['USERS_TABLE']))
    const width = Math.max(...made.keys().map((name) => name.length))
    const print = printerFor(values.json)
    for (const [name, { Ref }] of made) print({ name, reference: Ref }, `${name.padEnd(width)}  ${Ref}\n`)
    return 0
  } catch (error) {
    throw isUnreachable(error) ? new StartError(nobodyAt(endpoints), { cause: error }) : error
  }
}

function nobodyAt(endpoints: ServiceEndpoints): string {
  return `Nothing answers at ${[...new Set(Object.values(endpoints))].join(' and ')}.`
}

function isUnreachable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
}

/** The part of serverless.yml that describes the resources to create. */
interface DescribedService {
  /** What all names begin with, before the stage. */
  readonly service: string
  readonly resources: { readonly Resources: Readonly<Record<string, Resource>> }
  readonly provider: { readonly environment: Properties }
}

/** serverless.yml on the local stage, its variables resolved by the deployment engine in an environment. */
export async function describedService(environment: NodeJS.ProcessEnv = env): Promise<DescribedService> {
  const engine = join(packageFolder('serverless'), 'bin/serverless.js')
  const { stdout } = await promisify(execFile)(execPath, [engine, 'print', '--stage', 'local', '--format', 'json'], {
    cwd: ENGINE,
    env: { ...environment, SLS_LOG_LEVEL: 'error' },
    maxBuffer: 10_000_000,
  })
  return JSON.parse(stdout)
}

if (import.meta.main) await runCommand({ name: 'provision', usage: USAGE, run: provision })
