import { beforeAll, describe, expect, it } from 'vitest'
import { DIST, freshBuild } from '../../infra/builds.ts'
import { besiege } from './strangers.ts'

beforeAll(() => freshBuild(DIST))

describe('the process of the container, with its heap, under a flood of clients without a token', () => {
  it('G14, G15, G16, T19 survives, is healthy, and accepts a client with a token at once', async () => {
    const siege = await besiege({ watchers: 200, sockets: 10_000, addresses: 100 })
    expect(siege).toMatchObject({ lives: true, healthCheck: 'well', grpc: 'OK', stomp: 'CONNECTED' })
    expect(siege.descriptors).toBeLessThan(2000)
  })
})
