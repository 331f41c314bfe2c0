import { describe, expect, it } from 'vitest'
import { START } from '../../support/fakes/clock.ts'
import { signToken } from '../../support/fakes/jwt.ts'
import { virtualTime } from '../../support/fakes/timers.ts'
import { stompWorld } from '../../support/stomp-session.ts'
import { ADMIN, ticketWorld } from '../../support/ticket-world.ts'

const MINUTE = 60
const connect = (ticket: string) => `CONNECT\naccept-version:1.2\nAuthorization:Ticket ${ticket}\n\n\0`
const SUBSCRIBE = 'SUBSCRIBE\nid:0\ndestination:/topic/webhooks\nreceipt:r\n\n\0'

async function world() {
  const time = virtualTime()
  const login = await ticketWorld(time.clock)
  const stomp = await stompWorld({ tickets: login.redeem, time })
  const client = stomp.open()

  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      time.pass(1000)
      await new Promise(setImmediate)
    }
  }

  const reasonOf = (one: typeof client) => JSON.parse(one.last()?.body || '{}').details?.reason
  return { ...stomp, login, client, pass, reasonOf }
}

async function opened() {
  const made = await world()
  await made.client.say(connect((await made.login.issue()).ticket))
  return made
}

describe('a session that a ticket opened', () => {
  it('belongs to the user who logged in, with the rights of their role', async () => {
    const { client } = await opened()
    expect(client.last()?.headers).toMatchObject({ 'user-name': 'Alice' })
    expect(client.known).toHaveBeenCalledOnce()
    await client.say(SUBSCRIBE)
    expect(client.last()).toMatchObject({ command: 'RECEIPT', headers: { 'receipt-id': 'r' } })
  })

  it('S23 ends within a minute after the logout', async () => {
    const { client, login, pass, reasonOf } = await opened()
    await pass(10 * MINUTE)
    expect(client.last()?.command).toBe('CONNECTED')
    await login.logOut()
    await pass(MINUTE)
    expect([client.last()?.command, reasonOf(client)]).toEqual(['ERROR', 'Session ended'])
  })

  it('S23 ends with a login session that is always in use, at the same moment', async () => {
    const { client, login, pass, reasonOf, time } = await opened()
    for (let used = 0; used < 12 * 3; used++) {
      await pass(20 * MINUTE - 1)
      await login.use()
      if (used < 12 * 3 - 1) await pass(1)
    }
    time.pass(999)
    expect(client.last()?.command).toBe('CONNECTED')
    time.pass(1)
    expect(reasonOf(client)).toBe('Session ended')
    expect(time.pending()).toBe(0)
  })

  it('is not extended by a token, and receives no notice of its end', async () => {
    const { client, pass, reasonOf } = await opened()
    const now = START.getTime() / 1000
    const token = signToken({ sub: 'Alice', uid: ADMIN.uid, role: 'ROLE_ADMIN', iat: now, exp: now + 86_400 })
    await client.say('SUBSCRIBE\nid:0\ndestination:/user/queue/notices\n\n\0')
    await client.say(`SEND\ndestination:/app/token\nreceipt:r\n\n${token}\0`)
    expect(client.last()?.command).toBe('RECEIPT')
    await pass(31 * MINUTE)
    expect(reasonOf(client)).toBe('Session ended')
    expect(client.commands()).not.toContain('MESSAGE')
  })
})
