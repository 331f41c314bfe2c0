import { expect, it } from 'vitest'
import { publish } from '../../../../lib/adapters/fan-out/publish.ts'
import { asciiJson } from '../../../../lib/runtime/message-text.ts'
import { fakeEngine, TOPICS } from '../../../support/fakes/engine.ts'

it('a text is published to the topic of the messages, with the name of its instance, and a failure is thrown', async () => {
  const { engine, on } = fakeEngine()
  on('publishMessage', ({ input }) => {
    expect(input).toEqual([TOPICS.messages, '{"a":1}', { origin: 'one' }])
    throw new Error('no such topic')
  })
  await expect(publish(engine, 'one', asciiJson({ a: 1 }))).rejects.toThrow('no such topic')
})
