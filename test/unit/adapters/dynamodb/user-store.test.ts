import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { beforeEach, describe, expect, it } from 'vitest'
import { dynamoUserStore } from '../../../../lib/adapters/dynamodb/users.ts'

const documents = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'local' }))
const mock = mockClient(documents)
const users = dynamoUserStore(documents, 'users')

const ALICE = { uid: 'id-1', name: 'Alice', passwordHash: 'hash', roles: ['ROLE_USER'], enabled: true, createdAt: 5 }

beforeEach(() => {
  mock.reset()
})

describe('the users table', () => {
  it('finds a user by the key form of the name and returns the name as it was stored', async () => {
    mock.on(GetCommand, { Key: { uid: 'NAME#alice' } }).resolves({ Item: { uid: 'NAME#alice', id: 'id-1' } })
    mock.on(GetCommand, { Key: { uid: 'id-1' } }).resolves({ Item: ALICE })
    const { uid: id, name: username, createdAt, ...user } = ALICE
    expect(await users.find('ALICE')).toEqual({ id, username, createdAt: new Date(createdAt), ...user })
    for (const call of mock.commandCalls(GetCommand)) expect(call.args[0].input.ConsistentRead).toBe(true)
  })

  it('finds no user by a name whose row points to another name', async () => {
    mock.on(GetCommand, { Key: { uid: 'NAME#bob' } }).resolves({ Item: { uid: 'NAME#bob', id: 'id-1' } })
    mock.on(GetCommand, { Key: { uid: 'id-1' } }).resolves({ Item: ALICE })
    expect(await users.find('bob')).toBeUndefined()
  })

  it('is UNAVAILABLE when it is down', async () => {
    mock.onAnyCommand().rejects(new Error('connect ECONNREFUSED'))
    await expect(users.find('alice')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await expect(users.replacePasswordHash('id-1', 'old', 'new')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })
})
