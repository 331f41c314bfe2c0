import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency'
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb'
import { putEvent, TABLES, updatePayment } from '../shared/tables.mjs'
import { webhook } from '../shared/webhook.mjs'

const config = new IdempotencyConfig({ eventKeyJmesPath: 'id' })

/** Idempotency as the documentation of Powertools shows it: a record that is put, and updated at the end. */
const once = makeIdempotent(
  async (event) => {
    await putEvent(event, 'PROCESSED')
    await updatePayment(event)
    return { received: true }
  },
  {
    persistenceStore: new DynamoDBPersistenceLayer({ tableName: TABLES.idempotency }),
    config,
  },
)

export const handler = webhook((event, context) => {
  config.registerLambdaContext(context)
  return once(event)
})
