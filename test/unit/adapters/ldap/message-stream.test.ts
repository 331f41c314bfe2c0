import { Buffer } from 'node:buffer'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { MessageStream, sizeOfMessage } from '../../../../lib/adapters/ldap/message-stream.ts'

/** The other end of a connection that says what it is told. */
function connection() {
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
  const stream = new MessageStream(socket as Socket)
  const messages: string[] = []
  const errors: Error[] = []
  stream.on('data', (message: Buffer) => messages.push(message.toString('hex')))
  stream.on('error', (error) => errors.push(error))
  return { socket, stream, messages, errors }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('a connection', () => {
  it('delivers whole messages, one at a time, however they were split', async () => {
    const message = fc.uint8Array({ maxLength: 300 }).map((content) => {
      const length = content.length < 0x80 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff]
      return Buffer.concat([Buffer.from([0x30, ...length]), content])
    })
    const property = fc.asyncProperty(fc.array(message), fc.array(fc.nat(400)), async (sent, cuts) => {
      const { socket, messages, errors } = connection()
      let rest = Buffer.concat(sent)
      for (const cut of cuts) {
        socket.push(rest.subarray(0, cut || 1))
        rest = rest.subarray(cut || 1)
      }
      socket.push(rest)
      await vi.waitUntil(() => messages.length === sent.length, { timeout: 20_000, interval: 1 })
      expect(messages).toEqual(sent.map((each) => each.toString('hex')))
      expect(errors).toEqual([])
    })
    await fc.assert(property, { numRuns: 50 })
  })

  it('sends the written bytes, and ends with the other side', async () => {
    const { socket, stream } = connection()
    const written = vi.spyOn(socket, 'write')
    stream.write(Buffer.from('3000', 'hex'))
    expect(written).toHaveBeenCalledOnce()
    socket.push(null)
    await settled()
    expect(stream.destroyed).toBe(true)
    expect(socket.destroyed).toBe(true)
  })
})

it.each([
  ['uses another protocol', Buffer.from('HTTP/1.1')],
  ['announces four gigabytes', Buffer.from('3084ffffffff02', 'hex')],
  ['sends a length without an end', Buffer.from('308002', 'hex')],
  ['sends a length of five bytes', Buffer.from('30850000000000', 'hex')],
  [
    'sends too much',
    Buffer.concat(Array(200).fill(Buffer.concat([Buffer.from('3082fffb', 'hex'), Buffer.alloc(65_531)]))),
  ],
])('L09 a connection ends at once when the directory %s', async (_case, data) => {
  const { socket, stream, errors } = connection()
  socket.push(data)
  await settled()
  expect(errors.map(({ message }) => message)).toEqual([expect.stringMatching(/^The directory sent /)])
  expect(stream.destroyed).toBe(true)
  expect(socket.destroyed).toBe(true)
})

it.each([
  ['', undefined],
  ['3000', 2],
  ['307f', 129],
  ['3081', undefined],
  ['308180', 131],
  ['30847fff', undefined],
])('the size of a message that begins with %j is %j', (data, size) => {
  expect(sizeOfMessage(Buffer.from(data, 'hex'))).toBe(size)
})
