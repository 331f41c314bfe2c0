import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDataFolder } from '../../localstack/stack/data-folder.ts'
import { startDynamoDb } from '../../localstack/stack/emulators/dynamodb.ts'
import { startSqs } from '../../localstack/stack/emulators/sqs.ts'
import { HOST } from '../../localstack/stack/ports.ts'
import { type AwsEndpoint, awsEndpoint } from '../../test/support/aws-endpoint.ts'
import { command } from '../../test/support/command.ts'
import { freePort } from '../../test/support/free-port.ts'

const data = openDataFolder('memory')
let endpoint: AwsEndpoint
let stop: () => Promise<unknown>

beforeAll(async () => {
  const tables = await freePort()
  const engine = startDynamoDb('dynoxide', { host: HOST, port: tables }, data)
  const messages = await freePort()
  const queues = await startSqs(messages, 'eu-central-1', data)
  await engine.up
  endpoint = await awsEndpoint({ dynamodb: tables, sqs: messages })
  stop = () => Promise.all([endpoint.close(), queues.stop(), engine.part.stop()])
})

afterAll(async () => {
  await stop()
  data.close()
})

it('npm run provision creates the resources of serverless.yml at AWS_ENDPOINT_URL, and nothing when it is run twice', async () => {
  const environment = { AWS_ENDPOINT_URL: endpoint.url }
  const made = await command('provision', [], environment)
  expect([made.code, made.stderr]).toEqual([0, ''])
  const lines = made.stdout.trimEnd().split('\n')
  expect(lines.filter((line) => /Table +gatehouse-local-\w+$/.test(line))).toHaveLength(13)
  expect(lines.filter((line) => /Queue +http:\/\/127\.0\.0\.1:\d+\/\d{12}\/gatehouse-local-/.test(line))).toHaveLength(
    4,
  )
  expect(await command('provision', [], environment)).toEqual(made)
})

it('npm run provision says in one line that nothing answers', async () => {
  const { code, stdout, stderr } = await command('provision', [], { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' })
  expect([code, stdout, stderr]).toEqual([1, '', 'Nothing answers at http://127.0.0.1:9.\n'])
})
