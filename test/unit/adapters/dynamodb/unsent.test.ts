import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { expect, it } from 'vitest'
import { unsent } from '../../../../lib/adapters/dynamodb/unsent.ts'

const Item = { id: 'a' }

function client(credentials: () => Promise<{ accessKeyId: string; secretAccessKey: string }>) {
  const handle = () => Promise.reject(new Error('sent'))
  const requestHandler = { handle }
  return DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-central-1', credentials, requestHandler }))
}

it.each([
  ['write', () => new PutCommand({ TableName: 'events', Item })],
  ['transaction', () => new TransactWriteCommand({ TransactItems: [{ Put: { TableName: 'events', Item } }] })],
])('a %s is signed, answered and not sent', async (_, command) => {
  let signed = 0
  const documents = client(async () => {
    signed += 1
    return { accessKeyId: 'local', secretAccessKey: 'local' }
  })
  await expect(unsent(documents).send(command() as PutCommand)).resolves.toBeDefined()
  expect(signed).toBe(1)
  await expect(documents.send(command() as PutCommand)).rejects.toThrow('sent')
})

it('an invalid write is refused as usual', async () => {
  const documents = client(async () => ({ accessKeyId: 'local', secretAccessKey: 'local' }))
  const put = new PutCommand({ TableName: 'events', Item: { ...Item, at: new Date(0) } })
  await expect(unsent(documents).send(put)).rejects.toThrow('Unsupported type')
})
