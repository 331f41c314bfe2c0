import { expect, it } from 'vitest'
import { taken } from '../../../lib/stomp/transport.ts'
import { virtualTime } from '../../support/fakes/timers.ts'
import { recordingTransport } from '../../support/fakes/transport.ts'

async function waitingFor(bytesBuffered: number) {
  const time = virtualTime()
  const transport = recordingTransport()
  transport.bytesBuffered = bytesBuffered
  const abort = new AbortController()
  let isTaken = false
  void taken(transport, time.timers, abort.signal).then(() => {
    isTaken = true
  })
  const look = async (milliseconds = 0) => {
    time.pass(milliseconds)
    await new Promise(setImmediate)
    return isTaken
  }
  return { transport, abort, look }
}

it('64 KiB may be unsent while more is fetched', async () => {
  expect(await (await waitingFor(2 ** 16)).look()).toBe(true)
  expect(await (await waitingFor(2 ** 16 + 1)).look()).toBe(false)
})

it('is checked again every 20 milliseconds until the client has read enough', async () => {
  const { transport, look } = await waitingFor(2 ** 20)
  expect(await look(20)).toBe(false)
  transport.bytesBuffered = 0
  expect(await look(19)).toBe(false)
  expect(await look(1)).toBe(true)
})

it('ends when no caller waits any more', async () => {
  const { abort, look } = await waitingFor(2 ** 20)
  abort.abort()
  expect(await look(20)).toBe(true)
})
