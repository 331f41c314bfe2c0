import type { TestProject } from 'vitest/node'
import { openDataFolder } from '../../localstack/stack/data-folder.ts'
import { hasJdk, startDynamoDb } from '../../localstack/stack/emulators/dynamodb.ts'
import { HOST } from '../../localstack/stack/ports.ts'
import { freePort } from './free-port.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where DynamoDB Local answers; only in a run that is about it. */
    readonly dynamoDbLocal?: string
  }
}

/** One DynamoDB Local for all contract tests: each start takes seconds. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  if (!hasJdk()) throw new Error('DynamoDB Local needs a JDK, 17 or newer')
  const data = openDataFolder('memory')
  const port = await freePort()
  const { part, up } = startDynamoDb('java', { host: HOST, port }, data, false)
  await up
  provide('dynamoDbLocal', `http://127.0.0.1:${port}`)
  return async () => {
    await part.stop()
    data.close()
  }
}
