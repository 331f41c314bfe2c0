import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { beforeEach, describe, expect, it } from 'vitest'
import { dynamoUserStore } from '../../../../lib/adapters/dynamodb/user-store.ts'

const documents = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'local' }))
const mock = mockClient(documents)
const users = dynamoUserStore(documents, 'users')

beforeEach(() => {
  mock.reset()
})

describe('the users table', () => {
  it('finds a user by the key form of the name and gives the name as it was given', async () => {
    const user = { id: 'id-1', passwordHash: 'hash', roles: ['ROLE_USER'], enabled: true }
    mock.on(GetCommand).resolves({ Item: { username: 'alice', name: 'Alice', ...user } })
    expect(await users.find('ALICE')).toEqual({ username: 'Alice', ...user })
    expect(mock.commandCalls(GetCommand, { Key: { username: 'alice' }, ConsistentRead: true })).toHaveLength(1)
  })

  it('has nobody where there is no row', async () => {
    mock.on(GetCommand).resolves({})
    expect(await users.find('bob')).toBeUndefined()
  })

  it('replaces a hash only while it is the one that was read', async () => {
    mock.on(UpdateCommand).resolves({})
    await users.replacePasswordHash('Alice', 'old', 'new')
    const [call] = mock.commandCalls(UpdateCommand)
    expect(call?.args[0].input).toMatchObject({
      Key: { username: 'alice' },
      ConditionExpression: 'passwordHash = :read',
      ExpressionAttributeValues: { ':read': 'old', ':replacement': 'new' },
    })
  })

  it('does nothing when somebody else replaced it in between', async () => {
    mock.on(UpdateCommand).rejects(new ConditionalCheckFailedException({ $metadata: {}, message: 'refused' }))
    expect(await users.replacePasswordHash('Alice', 'old', 'new')).toBeUndefined()
  })

  it('is UNAVAILABLE when it is down', async () => {
    mock.onAnyCommand().rejects(new Error('connect ECONNREFUSED'))
    await expect(users.find('alice')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await expect(users.replacePasswordHash('alice', 'old', 'new')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })
})
