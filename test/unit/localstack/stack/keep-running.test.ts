import { expect, it, vi } from 'vitest'
import { keepRunning } from '../../../../localstack/stack/parts.ts'

/** A part that can be started over and over, and what its lives are told to do. */
function mortal() {
  const lives: { answer(): void; end(): void }[] = []
  const { part, up } = keepRunning(() => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const { promise: up, resolve: answer } = Promise.withResolvers<void>()
    lives.push({ answer, end })
    return { part: { name: 'Lazarus', ended, stop: async () => end() }, up }
  })
  const next = (count: number) => vi.waitUntil(() => lives.length === count && lives[count - 1], { timeout: 20_000 })
  return { part, up, lives, next }
}

it('a part that ends is started again, any number of times, until it is stopped', async () => {
  const { part, up, lives, next } = mortal()
  for (let count = 1; count <= 5; count++) {
    const life = await next(count)
    life.answer()
    await up
    if (count < 5) life.end()
  }
  await part.stop()
  await part.ended
  expect(lives).toHaveLength(5)
})

it('a part that ends three times in a row without an answer has ended', async () => {
  const { part, up, lives, next } = mortal()
  for (let count = 1; count <= 3; count++) (await next(count)).end()
  await Promise.all([part.ended, up])
  expect(lives).toHaveLength(3)
})
