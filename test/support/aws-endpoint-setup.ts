import type { TestProject } from 'vitest/node'
import { openDataFolder } from '../../localstack/stack/data-folder.ts'
import { startDynamoDb } from '../../localstack/stack/emulators/dynamodb.ts'
import { startSqs } from '../../localstack/stack/emulators/sqs.ts'
import { HOST } from '../../localstack/stack/ports.ts'
import { awsEndpoint } from './aws-endpoint.ts'
import { freePort } from './free-port.ts'
import { serveApi } from './served-api.ts'

/** The service with no emulator of its own: all of AWS is behind `AWS_ENDPOINT_URL`, with AWS's own DynamoDB Local. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const data = openDataFolder('memory')
  const tables = await freePort()
  const engine = startDynamoDb('java', { host: HOST, port: tables }, data)
  const messages = await freePort()
  const queues = await startSqs(messages, 'eu-central-1', data)
  await engine.up
  const services = { dynamodb: tables, sqs: messages }
  const endpoint = await awsEndpoint(services)
  const stop = await serveApi(project, { awsEndpoint: endpoint.url })
  return async () => {
    await stop()
    await endpoint.close()
    await Promise.all([queues.stop(), engine.part.stop()])
    data.close()
    const unused = Object.keys(services).filter((name) => !endpoint.called.has(name))
    if (unused.length > 0) throw new Error(`nobody called ${unused.join(', ')} at AWS_ENDPOINT_URL`)
  }
}
