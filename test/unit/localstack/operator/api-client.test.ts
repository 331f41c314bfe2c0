import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { askAt } from '../../../../localstack/operator/api-client.ts'

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** A server that breaks off some calls, by their number: before the answer, or within its body. */
async function breakingOff(times: number, { first = 1, begun = '' } = {}) {
  const methods: string[] = []
  const listener: RequestListener = ({ method = '', socket }, response) => {
    methods.push(method)
    const isBroken = methods.length >= first && methods.length < first + times
    if (!isBroken) response.end('done')
    else if (begun === '') socket.destroy()
    else response.writeHead(200, { 'content-length': '100' }).write(begun, () => socket.destroy())
  }
  const server = createServer(listener).listen(0, '127.0.0.1')
  stops.push(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { ask: askAt(new URL(`http://127.0.0.1:${port}`)), methods, port }
}

describe('a connection that breaks off', () => {
  it.each(['GET', 'HEAD', 'DELETE'])('is made again for %s, once', async (method) => {
    const { ask, methods } = await breakingOff(1)
    expect((await ask('/', { method })).status).toBe(200)
    expect(methods).toEqual([method, method])
  })

  it('is made again where the connection was kept from an earlier call, or the body of the answer had begun', async () => {
    const kept = await breakingOff(1, { first: 2 })
    const statuses = [(await kept.ask('/')).status, (await kept.ask('/')).status]
    expect([statuses, kept.methods.length]).toEqual([[200, 200], 3])
    const begun = await breakingOff(1, { begun: '{"events":' })
    expect(await (await begun.ask('/')).text()).toBe('done')
    await expect((await breakingOff(1, { begun: '{' })).ask('/', { method: 'POST' })).rejects.toThrow('broke off')
  })

  it('is named with its cause when it breaks off twice', async () => {
    const { ask, port } = await breakingOff(2)
    await expect(ask('/')).rejects.toThrow(
      new RegExp(`^The connection to http://127\\.0\\.0\\.1:${port} broke off \\(\\w+\\)\\. Whether`),
    )
  })

  it('is not made again for a request that may not be repeated', async () => {
    const { ask, methods } = await breakingOff(1)
    await expect(ask('/', { method: 'POST', body: '{}' })).rejects.toThrow('broke off')
    expect(methods).toEqual(['POST'])
  })
})

it('says that nothing answers only where nothing listens', async () => {
  const { port } = await breakingOff(0)
  for (const stop of stops.splice(0)) stop()
  await expect(askAt(new URL(`http://127.0.0.1:${port}`))('/')).rejects.toThrow(
    `Nothing answers at http://127.0.0.1:${port}: start the service first.`,
  )
})
