import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readRequest } from '../../../../localstack/commands/explain.ts'
import { temporaryFolder } from '../../../support/stack.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

function read(content: string | Buffer) {
  const file = join(folder.path, 'request')
  writeFileSync(file, content)
  return readRequest(file, new URL('https://hooks.example.com/ignored'))
}

describe('a request is parsed', () => {
  it('in the form of the vector files', () => {
    const request = { method: 'PUT', url: 'https://h/x?a=1', headers: { 'X-A': 'b' }, bodyBase64: '/w==' }
    expect(read(`\n${JSON.stringify({ ...request, id: 'ignored' })}`)).toEqual({
      method: 'PUT',
      url: 'https://h/x?a=1',
      headers: { 'x-a': 'b' },
      body: Buffer.from([0xff]),
    })
  })

  it('as it was received, byte for byte', () => {
    const head = 'POST /webhooks/x?a=%2F HTTP/1.1\r\nX-A:  b c \r\nX-B: 1\r\nx-b: 2\r\nX-Empty:\r\n\r\n'
    const body = Buffer.from([0xff, 0x0d, 0x0a, 0x0d, 0x0a, 0x7b])
    expect(read(Buffer.concat([Buffer.from(head), body]))).toEqual({
      method: 'POST',
      url: 'https://hooks.example.com/webhooks/x?a=%2F',
      headers: { 'x-a': 'b c', 'x-b': '1,2', 'x-empty': '' },
      body,
    })
  })

  it.each([
    ['with line feeds only', 'GET /x\na: b\n\nbody\n', { a: 'b' }, 'body\n'],
    ['without headers', 'GET /x\n\nbody', {}, 'body'],
    ['without a body', 'GET /x\na: b\n\n', { a: 'b' }, ''],
    ['without an end', 'GET /x\na: b', { a: 'b' }, ''],
  ])('%s', (_, content, headers, body) => {
    expect(read(content)).toMatchObject({ method: 'GET', headers, body: Buffer.from(body) })
  })

  it('with the address that it names', () => {
    expect(read('GET https://other.example/x\n\n').url).toBe('https://other.example/x')
  })
})

it.each(['', 'get /x\n\n', 'GET /x\nno header\n\n', 'GET /x\n : b\n\n', '{', '{"headers":{}}'])(
  'a request is refused when it is malformed: %j',
  (content) => {
    expect(() => read(content)).toThrow('request: is no request, neither as JSON nor as HTTP')
  },
)
