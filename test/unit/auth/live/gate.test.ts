import { describe, expect, it, vi } from 'vitest'
import { createKeyGate } from '../../../../lib/auth/keys/gate.ts'
import { createLifetime } from '../../../../lib/auth/live/gate.ts'
import { ADMINS, MemoryKeys, newApiKey } from '../../../support/fakes/keys.ts'
import { recordingLog } from '../../../support/fakes/log.ts'
import { virtualTime } from '../../../support/fakes/timers.ts'

const SECOND = 1000

/** Something that a key opened a moment ago. */
async function opened(changes: Parameters<typeof newApiKey>[0] = {}) {
  const time = virtualTime()
  const keys = new MemoryKeys()
  const { key, text } = newApiKey(changes)
  await keys.add(key)
  const gate = createKeyGate({ keys, accounts: ADMINS, clock: time.clock, log: recordingLog() })
  await gate.check(text)
  const ended = vi.fn()
  const { follow, stop } = createLifetime({ ...time, ended })
  follow({ confirm: () => gate.confirm(key.id) })
  /** Lets seconds pass one by one, and each look come to its end. */
  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      time.pass(SECOND)
      await new Promise(setImmediate)
    }
  }
  return { time, keys, key, gate, ended, stop, pass }
}

describe('a stream that a key opened', () => {
  it('stays open as long as the key is valid', async () => {
    const { ended, pass } = await opened()
    await pass(600)
    expect(ended).not.toHaveBeenCalled()
  })

  it.each([0, 1, 29])('ends within 60 seconds of its deletion after %i seconds', async (seconds) => {
    const { keys, key, ended, pass } = await opened()
    await pass(seconds)
    await keys.remove(key.id)
    await pass(60)
    expect(ended.mock.calls).toEqual([[expect.objectContaining({ code: 'API_KEY_INVALID' })]])
  })

  it('ends within 60 seconds even if other calls keep the cached key fresh', async () => {
    const { gate, keys, key, ended, pass } = await opened()
    await pass(29)
    await gate.confirm(key.id)
    await keys.remove(key.id)
    await pass(60)
    expect(ended).toHaveBeenCalledOnce()
  })

  it('ends within 60 seconds of the expiry of the key', async () => {
    const { time, key, ended, pass } = await opened()
    time.clock.advance(key.expiresAt.getTime() - time.clock.now().getTime())
    await pass(60)
    expect(ended).toHaveBeenCalledOnce()
  })

  it('ends when the key cannot be verified', async () => {
    const { keys, ended, pass } = await opened()
    keys.isDown = true
    await pass(60)
    expect(ended.mock.calls).toEqual([[expect.objectContaining({ code: 'UNAVAILABLE' })]])
  })

  it('is not checked after its end', async () => {
    const { time, keys, key, ended, stop, pass } = await opened()
    await keys.remove(key.id)
    stop()
    await pass(60)
    expect([ended.mock.calls, time.pending()]).toEqual([[], 0])
  })

  it('does not receive an end that a check finds after its own end', async () => {
    const { keys, key, ended, stop, time } = await opened()
    await keys.remove(key.id)
    time.pass(30 * SECOND)
    stop()
    await new Promise(setImmediate)
    expect([ended.mock.calls, time.pending()]).toEqual([[], 0])
  })
})
