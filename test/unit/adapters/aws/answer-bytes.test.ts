import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { bytesIn } from '../../../../lib/adapters/aws/client.ts'

it('the bytes of an answer are all of its chunks in order', async () => {
  await expect(bytesIn(Readable.from([Buffer.from('a'), Buffer.from('bc')]))).resolves.toEqual(Buffer.from('abc'))
})

it('an incomplete answer is an error', async () => {
  const broken = new Error('aborted')
  const answer = new Readable({ read: () => undefined })
  answer.push('half of')
  const bytes = bytesIn(answer)
  answer.destroy(broken)
  await expect(bytes).rejects.toBe(broken)
})
