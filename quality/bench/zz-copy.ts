import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { argv } from 'node:process'
import { LAMBDA_ENVIRONMENT, STRIPE_SECRET } from '../../test/support/lambda-environment.ts'
import { stripeEvent } from '../../test/support/sent-events.ts'
import { freeOffset, startStack } from '../../test/support/stack.ts'
import { callsOf, signedByStripe, written } from './calls.ts'
import { compared, judged } from './findings.ts'
import { bundledPeers } from './peers.ts'
import { interleaved, startSubjects } from './subjects.ts'
await (await import('../../infra/builds.ts')).freshBuild('dist')
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
const stack = await startStack({ PORT_OFFSET: String(await freeOffset()), DATA_DIR: 'memory' })
const client = new DynamoDBClient({ endpoint: stack.ready.dynamodb, region: 'eu-central-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } })
for (const TableName of ['bench-events', 'bench-payments', 'bench-idempotency'])
  await client.send(new CreateTableCommand({ TableName, BillingMode: 'PAY_PER_REQUEST', AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }], KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }] }))
const bundles = new Map([['gatehouse', resolve(process.argv[2] ?? 'dist/webhooks/stripe/index.mjs')], ...(await bundledPeers(folder, 'accepted'))])
const env = { ...LAMBDA_ENVIRONMENT, AWS_ENDPOINT_URL_DYNAMODB: stack.ready.dynamodb, AWS_ENDPOINT_URL_SQS: stack.ready.sqs, WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '0', POWERTOOLS_DEV: 'false', STRIPE_SECRET }
const subjects = await startSubjects(bundles, env)
for (const kind of ['duplicate']) {
  const same = callsOf(signedByStripe(stripeEvent(2048)))
  const round = (count: number) => {
    const events = Array.from({ length: count }, () => (kind === 'duplicate' ? same : callsOf(signedByStripe(stripeEvent(2048)))).events).flat()
    return { calls: written(join(folder, 'round.json'), { ...same, events }) }
  }
  console.log(judged(compared(kind, 'µs of CPU', await interleaved(subjects, 7, round(500), () => round(100)))).table)
}
for (const { child } of subjects) child.kill()
await stack.stop()
