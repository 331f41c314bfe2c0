import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { virtualTime } from '../../support/fakes/timers.ts'
import { stompServer, userToken } from '../../support/stomp-server.ts'

const CONNECT = `CONNECT\naccept-version:1.2\nheart-beat:0,0\nAuthorization:Bearer ${userToken()}\n\n\0`

/** A server with one place for each user, and clients that want no heart-beats. */
async function pinging() {
  const time = virtualTime()
  const server = await stompServer({ time, connectionsPerUser: 1 })
  return {
    time,
    server,
    async connected(autoPong: boolean) {
      const wire = server.wire({ autoPong })
      await wire.opened
      wire.socket.send(CONNECT)
      await wire.heard('CONNECTED')
      return wire
    },
  }
}

describe('T06 a client without heart-beats', () => {
  it('is pinged every 20 seconds, and stays while it answers', async () => {
    const { time, connected } = await pinging()
    const { socket } = await connected(true)
    for (let round = 0; round < 4; round++) {
      const pinged = once(socket, 'ping')
      time.pass(20_000)
      await pinged
      // Behind its answer.
      socket.ping()
      await once(socket, 'pong')
    }
    expect(socket.readyState).toBe(socket.OPEN)
  })

  it('is disconnected within a minute when it is gone, and its place is free again', async () => {
    const { time, server, connected } = await pinging()
    const gone = await connected(false)
    time.pass(59_999)
    expect((await gone.closed).code).toBe(1006)
    await connected(true)
    expect(server.log.entries).toEqual([])
  })

  it('may ignore pings while it sends something', async () => {
    const { time, connected } = await pinging()
    const { socket, heard } = await connected(false)
    for (let round = 0; round < 4; round++) {
      time.pass(20_000)
      socket.send(`BEGIN\ntransaction:${round}\nreceipt:${round}\n\n\0`)
      await heard(`receipt-id:${round}`)
    }
    expect(socket.readyState).toBe(socket.OPEN)
  })

  it('that closes leaves no ping timer', async () => {
    const { time, connected } = await pinging()
    const { socket, closed } = await connected(true)
    socket.close()
    await closed
    await expect.poll(() => time.pending()).toBe(0)
  })
})
