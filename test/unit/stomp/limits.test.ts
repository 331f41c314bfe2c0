import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../lib/runtime/config.ts'
import { channelSettings } from '../../../lib/runtime/settings/channels.ts'
import { sessionLimits } from '../../../lib/stomp/limits.ts'
import { SESSION_LIMITS } from '../../support/fakes/session-limits.ts'
import { stompServer, userToken } from '../../support/stomp-server.ts'
import { stompWorld } from '../../support/stomp-session.ts'

const chosen = { heartBeat: 1000, bodyBytes: 180_000, framesPerSecond: 10_000, frameBurst: 10_000 }
const subscribe = 'SUBSCRIBE\nid:0\ndestination:/topic/public/a\n\n\0'
const send = (bytes: number, more = '') => `SEND\ndestination:/topic/public/a\n${more}\n${'x'.repeat(bytes)}\0`

describe('the limits that settings change', () => {
  it('are those of the settings by default', () => {
    const config = loadConfig(channelSettings, [], {})
    expect(SESSION_LIMITS).toMatchObject({
      heartBeat: config.STOMP_HEART_BEAT_SECONDS * 1000,
      bodyBytes: config.STOMP_BODY_BYTES,
      framesPerSecond: config.STOMP_FRAMES_PER_SECOND,
      frameBurst: config.STOMP_FRAME_BURST,
      keptBytes: 2 ** 20,
    })
  })

  it('accept a body up to its limit, and not one byte more', async () => {
    const client = await (await stompWorld({ limits: sessionLimits(chosen) })).connected()
    await client.say(subscribe + send(180_000))
    expect(client.last()?.body).toHaveLength(180_000)
    await client.say(send(180_001))
    expect(client.transport.closes.map(([code]) => code)).toEqual([1009])
  })

  it('leave space in a transaction, and for a slow client, for several of the largest bodies', async () => {
    const client = await (await stompWorld({ limits: sessionLimits(chosen) })).connected()
    const inside = send(180_000, 'transaction:t\n')
    await client.say(`${subscribe}BEGIN\ntransaction:t\n\n\0${inside.repeat(5)}`)
    client.transport.bytesBuffered = 5 * 180_000
    await client.say('COMMIT\ntransaction:t\n\n\0')
    expect([client.commands().length, client.transport.closes]).toEqual([6, []])
  })
})

it.each([1024, 180_000])('allow a WebSocket message with a body of %i bytes and 64 KiB more', async (bodyBytes) => {
  const server = await stompServer({ limits: sessionLimits({ ...chosen, bodyBytes }) })
  const { socket, opened, closed, heard } = server.wire()
  await opened
  socket.send(`CONNECT\naccept-version:1.2\nAuthorization:Bearer ${userToken()}\n\n\0`)
  await heard('CONNECTED')
  // Heart-beats fill the message.
  const full = 'BEGIN\ntransaction:t\nreceipt:r\n\n\0'.padEnd(bodyBytes + 65_536, '\n')
  socket.send(full)
  await heard('receipt-id:r')
  socket.send(`${full}\n`)
  expect((await closed).code).toBe(1009)
})
