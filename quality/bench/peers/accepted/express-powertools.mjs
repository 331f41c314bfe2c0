import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency'
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb'
import serverlessExpress, { getCurrentInvoke } from '@codegenie/serverless-express'
import { receiver } from '../shared/receiver.mjs'
import { putEvent, TABLES, updatePayment } from '../shared/tables.mjs'

const persistenceStore = new DynamoDBPersistenceLayer({ tableName: TABLES.idempotency })
const config = new IdempotencyConfig({ eventKeyJmesPath: 'id' })

/** Idempotency as the documentation of Powertools shows it: a record that is put, and updated at the end. */
const once = makeIdempotent(
  async (event) => {
    await putEvent(event, 'PROCESSED')
    await updatePayment(event)
    return { received: true }
  },
  { persistenceStore, config },
)

const app = receiver((event) => {
  config.registerLambdaContext(getCurrentInvoke().context)
  return once(event)
})

export const handler = serverlessExpress({ app })
