import type { TestProject } from 'vitest/node'
import { demoUsers } from '../../localstack/demo-users.ts'
import { openDataFolder } from '../../localstack/stack/data-folder.ts'
import { startDynamoDb } from '../../localstack/stack/emulators/dynamodb.ts'
import { startSqs } from '../../localstack/stack/emulators/sqs.ts'
import { HOST } from '../../localstack/stack/ports.ts'
import type { Ready } from '../../localstack/stack/ready.ts'
import { localResources, seedUsers } from '../../localstack/stack/resources.ts'
import { resolvedService } from './direct/service.ts'
import { freePort } from './free-port.ts'

/** The stores of a local run without the run: its tables, its queues and its demo users. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const data = openDataFolder('memory')
  const [tables, messages] = [await freePort(), await freePort()]
  const engine = startDynamoDb('dynoxide', { host: HOST, port: tables }, data)
  const queues = await startSqs(messages, 'eu-central-1', data)
  await engine.up
  const [dynamodb, sqs] = [`http://${HOST}:${tables}`, `http://${HOST}:${messages}`]
  const before = { ...process.env }
  Object.assign(process.env, {
    ...{ AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' },
    ...{ AWS_ENDPOINT_URL_DYNAMODB: dynamodb, AWS_ENDPOINT_URL_SQS: sqs },
  })
  const { resources } = await resolvedService()
  await localResources(resources.Resources).provideAll()
  await seedUsers('gatehouse-local-users')
  process.env = before
  project.provide('ready', { dynamodb, sqs, users: demoUsers(false) } as unknown as Ready)
  return async () => {
    await Promise.all([queues.stop(), engine.part.stop()])
    data.close()
  }
}
