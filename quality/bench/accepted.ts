import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { freshBundles } from '../../localstack/bundles.ts'
import { LAMBDA_ENVIRONMENT, STRIPE_SECRET } from '../../test/support/lambda-environment.ts'
import { freeOffset, type Stack, startStack } from '../../test/support/stack.ts'
import { timed } from './accepted/costs.ts'
import { meteringProxy } from './accepted/metering-proxy.ts'
import { requests } from './accepted/requests.ts'
import { units } from './accepted/units.ts'
import { type Findings, together } from './findings.ts'
import { type Bundles, bundled } from './peers.ts'

const PEERS = ['express-powertools', 'express-writes']

/** Calls a minute: none are counted, or all are and none is refused. */
const LIMITERS = { 'limiter off': '0', 'limiter on': '1000000' }

/** A webhook of Stripe from its event to its answer, with all that is stored: ours and what else one would write. */
export async function accepted(): Promise<Findings> {
  await freshBundles()
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  const stack = await startStack({ PORT_OFFSET: String(await freeOffset()), DATA_DIR: 'memory' })
  try {
    await makePeersTables(stack)
    const peers = await bundled(
      PEERS.map((name) => `${import.meta.dirname}/peers/accepted/${name}.mjs`),
      folder,
    )
    const files: Bundles = new Map([['gatehouse', resolve('dist/webhooks/stripe/index.mjs')], ...peers])
    const { dynamodb = '' } = stack.ready
    const proxy = await meteringProxy(dynamodb)
    const metered = environmentOf(stack, proxy.url, '0')
    const pieces: Record<string, Findings> = {
      'write units of an accepted webhook': await units(files, proxy, metered),
      'what DynamoDB is asked for': await requests(files, proxy, metered),
    }
    await proxy.close()
    for (const [limiter, limit] of Object.entries(LIMITERS))
      Object.assign(pieces, await timed(files, environmentOf(stack, dynamodb, limit), limiter))
    return together(pieces)
  } finally {
    await stack.stop()
    rmSync(folder, { recursive: true })
  }
}

async function makePeersTables({ ready }: Stack): Promise<void> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const client = new DynamoDBClient({ endpoint: ready.dynamodb, region: 'eu-central-1', credentials })
  for (const name of ['bench-events', 'bench-payments', 'bench-idempotency'])
    await client.send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      }),
    )
  client.destroy()
}

function environmentOf({ ready }: Stack, dynamodb: string, limit: string) {
  return {
    ...LAMBDA_ENVIRONMENT,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
    AWS_ENDPOINT_URL_SQS: ready.sqs,
    AWS_ENDPOINT_URL_SNS: ready.sqs,
    WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: limit,
    POWERTOOLS_DEV: 'false',
    STRIPE_SECRET,
  }
}
