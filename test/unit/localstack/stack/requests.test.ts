import { Buffer } from 'node:buffer'
import { expect, it } from 'vitest'
import { joinRepeated } from '../../../../localstack/stack/offline.ts'

it.each([
  { title: 'leaves a single header alone', sent: ['Host', 'a'], seen: ['host', 'a'] },
  {
    title: 'joins repeated headers with a comma',
    sent: ['X-A', '1', 'B', '2', 'x-a', '3'],
    seen: ['x-a', '1,3', 'b', '2'],
  },
  {
    title: 'joins repeated cookies with a semicolon',
    sent: ['Cookie', 'a=1', 'cookie', 'b=2'],
    seen: ['cookie', 'a=1; b=2'],
  },
  { title: 'W15 reads UTF-8', sent: ['x-a', Buffer.from('créée ☃').toString('latin1')], seen: ['x-a', 'créée ☃'] },
  { title: 'W15 leaves other bytes as they are', sent: ['x-a', 'cr\u00e9\u00e9e'], seen: ['x-a', 'cr\u00e9\u00e9e'] },
])('$title', ({ sent, seen }) => {
  joinRepeated(sent)
  expect(sent).toEqual(seen)
})
