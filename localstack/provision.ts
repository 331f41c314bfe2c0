import { env } from 'node:process'
import { deliveryQueues } from '../infra/deliver/resources.ts'
import { stageDestinations } from '../infra/deliver/stage.ts'
import { printerFor, readOptions, runCommand } from './command.ts'
import { enterLocalCloud, type ServiceEndpoints } from './environment.ts'
import { localRun } from './local-run.ts'
import { describedService } from './provision/described.ts'
import { localResources } from './provision/resources.ts'
import { targetQueues } from './provision/targets.ts'
import { seedUsers } from './seed-users.ts'
import { StartError } from './start-error.ts'

const USAGE = `npm run provision -- [--json]

Makes the tables and queues of serverless.yml, the queues of destinations and the demo users in what AWS_ENDPOINT_URL names, else in the
local run, and prints how they are referred to. What is there already stays. npm start does the same by itself; this is
for what is there without it, such as the container of localstack/compose.yaml.
`

await runCommand({ name: 'provision', usage: USAGE, run: provision })

async function provision(args: readonly string[]): Promise<number> {
  const { values } = readOptions({ args: [...args], options: { json: { type: 'boolean', default: false } } })
  const endpoints = enterLocalCloud(env, localRun(env).ports)
  const [{ service, resources, provider }, destinations] = await Promise.all([
    describedService(),
    stageDestinations('local'),
  ])
  const ofDestinations = { ...deliveryQueues(destinations, `${service}-local`), ...targetQueues(destinations) }
  const local = localResources({ ...resources.Resources, ...ofDestinations })
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
