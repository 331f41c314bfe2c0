import serverlessExpress from '@codegenie/serverless-express'
import { receiver } from '../shared/receiver.mjs'
import { putOnce } from '../shared/tables.mjs'

export const handler = serverlessExpress({ app: receiver(putOnce) })
