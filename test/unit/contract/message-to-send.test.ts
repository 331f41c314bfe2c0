import { describe, expect, it } from 'vitest'
import { messageToSend } from '../../../functions/api/messages-create.ts'

const RULE = 'must be /topic/public/<name> or /user/<user>/queue/<name>'

const rulesFor = (destination: unknown) =>
  messageToSend.safeParse({ destination, body: 'a' }).error?.issues.map(({ message }) => message) ?? []

describe('the destination of a message over HTTP', () => {
  it.each([
    '/topic/public/a/b.c~d-e_f',
    `/topic/public/${'a'.repeat(200)}`,
    '/user/ada/queue/a',
    '/user/zoë ü@example.com/queue/a/b',
    '/user/ada/queue/notices/a',
  ])('may be %s', (destination) => {
    expect(rulesFor(destination)).toEqual([])
  })

  it.each([
    1,
    '/topic/public/',
    `/topic/public/${'a'.repeat(201)}`,
    '/topic/public/a\n',
    '/topic/webhooks',
    '/user//queue/a',
    '/user/ada/lovelace/queue/a',
    '/user/a\nda/queue/a',
    `/user/${'a'.repeat(257)}/queue/a`,
  ])('may not be %j', (destination) => {
    expect(rulesFor(destination)).toEqual([RULE])
  })

  it('may not be the notices of the server, for any account', () => {
    expect(rulesFor('/user/ada/queue/notices')).toEqual(['must not be the notices of the server'])
  })
})

it.each(['', null, []])('the body of a message over HTTP may be %j', (body) => {
  expect(messageToSend.parse({ destination: '/topic/public/a', body }).body).toEqual(body)
})
