import { expect, it } from 'vitest'
import { readPasted } from '../../../../web/token/pasted.ts'

it.each([
  ['  a.b.c\n', []],
  ['bearer   a.b.c', ['Bearer']],
  ['Authorization: Bearer a.b.c', ['Authorization', 'Bearer']],
  ['\u201ca.b.c\u201d', ['quotes']],
  ["'authorization: Bearer a.b.c'", ['quotes', 'Authorization', 'Bearer']],
  ['a. b\t.\u00a0c\u200b', ['line breaks and blanks']],
  ['Bearer\na.b.c', ['Bearer']],
])('%j contains the token', (text, removed) => {
  expect(readPasted(text)).toEqual({ token: 'a.b.c', removed })
})

it.each(['Bearer', '', ' ', '""', 'Bearer '])('%j contains no token', (text) => {
  expect(readPasted(text).token).toBe('')
})

it('a text that begins like the scheme is not the scheme', () => {
  expect(readPasted('Bearera.b.c').token).toBe('Bearera.b.c')
})
