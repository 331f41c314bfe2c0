import { describe, expect, it } from 'vitest'
import { createFlow } from '../../../lib/stomp/flow.ts'
import { recordingTransport } from '../../support/fakes/transport.ts'

/** A flow whose messages go out one by one, when the test says so. */
function setUp() {
  const transport = recordingTransport()
  const ends: ((cause?: Error) => void)[] = []
  let resumed = 0
  const broker = {
    publish: () => new Promise<void>((resolve, reject) => ends.push((cause) => (cause ? reject(cause) : resolve()))),
  }
  const flow = createFlow(broker, transport, () => (resumed += 1))
  const publish = (kib: number) =>
    flow
      .publish([{ destination: '/a', headers: {}, body: Buffer.alloc(kib * 1024) }])
      .catch((cause: Error) => cause.message)
  return { transport, flow, publish, ends, resumed: () => resumed }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('a client with unsent messages', () => {
  it('is paused above 256 KiB, and read again below 64 KiB', async () => {
    const { transport, flow, publish, ends, resumed } = setUp()
    for (let sent = 0; sent < 8; sent += 1) void publish(31)
    expect([transport.isPaused, flow.isPaused]).toEqual([false, false])
    void publish(31)
    expect([transport.isPaused, flow.isPaused]).toEqual([true, true])
    for (const end of ends.splice(0, 6)) end()
    await turn()
    expect([transport.isPaused, resumed()]).toEqual([true, 0])
    for (const end of ends.splice(0, 1)) end()
    await turn()
    expect([transport.isPaused, flow.isPaused, resumed()]).toEqual([false, false, 1])
  })

  it('is read again after a failure, and receives the cause', async () => {
    const { transport, publish, ends } = setUp()
    const failed = publish(300)
    expect(transport.isPaused).toBe(true)
    ends[0]?.(new Error('away'))
    expect(await failed).toBe('away')
    expect(transport.isPaused).toBe(false)
  })
})
