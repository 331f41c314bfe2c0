import { afterEach, describe, expect, it, vi } from 'vitest'
import { publish } from '../../../../lib/adapters/fan-out/publish.ts'
import { fakeEngine, TOPICS, untilAborted } from '../../../support/fakes/engine.ts'

afterEach(() => vi.restoreAllMocks())

describe('publishing a text', () => {
  it('sends it to the topic of the messages', async () => {
    const { engine, of } = fakeEngine()
    await publish(engine, 'one', 'text')
    expect(of('Publish')).toEqual([
      {
        TopicArn: TOPICS.messages,
        Message: 'text',
        MessageAttributes: { origin: { DataType: 'String', StringValue: 'one' } },
      },
    ])
  })

  it('says what kept it', async () => {
    const { engine, on } = fakeEngine()
    on('Publish', () => Promise.reject(new Error('no such topic')))
    await expect(publish(engine, 'one', 'text')).rejects.toThrow('no such topic')
  })

  it('gives up in time on a topic that does not answer', async () => {
    const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.timeout(1))
    const { engine, on } = fakeEngine()
    on('Publish', (_, signal) => untilAborted(signal))
    await expect(publish(engine, 'one', 'text')).rejects.toThrow('timeout')
    expect(limit).toHaveBeenCalledWith(3000)
  })
})
