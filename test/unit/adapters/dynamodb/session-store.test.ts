import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DeleteCommand, DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { beforeEach, describe, expect, it } from 'vitest'
import { dynamoSessionStore } from '../../../../lib/adapters/dynamodb/sessions.ts'
import { FORM_USER } from '../../../support/fakes/sessions.ts'

const documents = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'local' }))
const mock = mockClient(documents)
const sessions = dynamoSessionStore(documents, 'sessions')

const NOW = new Date('2026-01-02T03:04:05.001Z')
const SESSION = { ...FORM_USER, key: 'k', createdAt: NOW, lastSeenAt: NOW }

beforeEach(() => {
  mock.reset()
})

describe('the sessions table', () => {
  it('deletes a session no earlier than the second of its end', async () => {
    mock.on(PutCommand).resolves({})
    await sessions.put(SESSION, NOW)
    const [call] = mock.commandCalls(PutCommand)
    expect(call?.args[0].input.Item).toMatchObject({ sessionKey: 'k', ttl: 1_767_323_046 })
  })

  it('is read consistently, so that a logout counts at once', async () => {
    mock.on(GetCommand).resolves({})
    expect(await sessions.find('k')).toBeUndefined()
    expect(mock.commandCalls(GetCommand, { Key: { sessionKey: 'k' }, ConsistentRead: true })).toHaveLength(1)
  })

  it('removes all sessions of a user, including those on further pages', async () => {
    mock
      .on(QueryCommand)
      .resolvesOnce({ Items: [{ sessionKey: 'a' }], LastEvaluatedKey: { sessionKey: 'a' } })
      .resolves({ Items: [{ sessionKey: 'b' }] })
    mock.on(DeleteCommand).resolves({})
    await sessions.removeAll('Alice')
    const gone = mock.commandCalls(DeleteCommand).map(({ args: [command] }) => command.input.Key?.['sessionKey'])
    expect(gone).toEqual(['a', 'b'])
  })

  it('is UNAVAILABLE when it is down', async () => {
    mock.onAnyCommand().rejects(new Error('connect ECONNREFUSED'))
    const asked = [
      sessions.put(SESSION, NOW),
      sessions.find('k'),
      sessions.touch('k', NOW, NOW),
      sessions.remove('k'),
      sessions.removeAll('Alice'),
    ]
    for (const answer of asked) await expect(answer).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })
})
