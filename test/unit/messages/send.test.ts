import { describe, expect, it } from 'vitest'
import { SENT_ID, type ServiceMessage, sendMessage } from '../../../lib/messages/send.ts'
import { countingIds } from '../../support/fakes/ids.ts'

const UIDS = new Map([
  ['ada', 'id-1'],
  ['carol', 'ldap:8a3f'],
])

function setUp(maximumBytes = 100) {
  const sent: ServiceMessage[] = []
  const parts = {
    accounts: {
      findByName: async (name: string) => {
        const uid = UIDS.get(name.toLowerCase())
        return uid === undefined ? undefined : { uid, username: name, roles: [] }
      },
    },
    broadcast: { publish: async (message: ServiceMessage) => void sent.push(message) },
    ids: countingIds(),
    maximumBytes,
  }
  return {
    sent,
    send: (destination: string, body: unknown = 'hello') => sendMessage(parts, { destination, body }, 'admin'),
  }
}

describe('a message of the service', () => {
  it('names its sender, and has the id that the sender receives', async () => {
    const { sent, send } = setUp()
    expect(await send('/topic/public/news')).toEqual({ messageId: 'unique-1' })
    expect(sent).toEqual([
      {
        id: 'unique-1',
        destination: '/topic/public/news',
        headers: { 'content-type': 'text/plain', sender: 'admin', [SENT_ID]: 'unique-1' },
        body: Buffer.from('hello'),
      },
    ])
  })

  it.each([
    ['of the database, in any case', 'ADA', 'id-1'],
    ['of the directory', 'carol', 'ldap:8a3f'],
    ['at a provider, who only has to be possible', 'google:1234', 'google:1234'],
  ])('is sent to the account of a user %s', async (_, name, user) => {
    const { sent, send } = setUp()
    await send(`/user/${name}/queue/a/queue/b`)
    expect(sent).toMatchObject([{ destination: '/user/queue/a/queue/b', user }])
  })

  it.each(['bob', 'Nobody:1', 'google:', 'ldap:8a3f'])('is not sent to the user %s', async (name) => {
    const { sent, send } = setUp()
    await expect(send(`/user/${name}/queue/a`)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' })
    expect(sent).toEqual([])
  })

  it.each([
    ['a text', 'grüß Gott', 'text/plain', 'grüß Gott'],
    ['an object', { a: [1, 'ß'] }, 'application/json', '{"a":[1,"ß"]}'],
    ['null', null, 'application/json', 'null'],
  ])('contains %s unchanged', async (_, body, type, text) => {
    const { sent, send } = setUp()
    await send('/topic/public/a', body)
    expect([sent[0]?.headers['content-type'], Buffer.from(sent[0]?.body ?? []).toString()]).toEqual([type, text])
  })

  it.each([
    ['a text that is one byte too long', `${'é'.repeat(50)}!`, 'must have at most 100 bytes'],
    ['JSON that is too long', ['x'.repeat(97)], 'must have at most 100 bytes'],
    ['half of a character', '\ud83d', 'must be Unicode'],
  ])('is refused with %s, and not repeated', async (_, body, message) => {
    const { sent, send } = setUp()
    const validationErrors = [{ field: 'body', message, rejectedValue: null }]
    await expect(send('/topic/public/a', body)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { validationErrors },
    })
    expect(sent).toEqual([])
  })

  it('may have the maximum length', async () => {
    const { sent, send } = setUp()
    await send('/topic/public/a', 'é'.repeat(50))
    expect(sent).toHaveLength(1)
  })
})
