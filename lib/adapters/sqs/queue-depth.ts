import { errorCodeIn } from '../aws/client.ts'
import { sqsService } from './service.ts'

const GET_ATTRIBUTES = 'AmazonSQS.GetQueueAttributes'
const DEPTH = 'ApproximateNumberOfMessages'

/** The time for the answer, in milliseconds. */
const TIMEOUT_MS = 2000

/** Counts the messages of the retry queue that can be received now, approximately. @throws Error when SQS refuses */
export function retryQueueDepth(queueUrl: string): () => Promise<number> {
  const sqs = sqsService()
  return async () => {
    const answer = await sqs.ask(GET_ATTRIBUTES, { QueueUrl: queueUrl, AttributeNames: [DEPTH] }, TIMEOUT_MS)
    if (answer.status !== 200) throw new Error(`SQS answers ${errorCodeIn(answer)}`)
    const { Attributes: attributes } = JSON.parse(answer.body) as { Attributes?: Readonly<Record<string, string>> }
    return Number(attributes?.[DEPTH])
  }
}
