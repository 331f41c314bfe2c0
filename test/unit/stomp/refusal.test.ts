import { Buffer } from 'node:buffer'
import { expect, it } from 'vitest'
import { fail, unavailable } from '../../../lib/errors.ts'
import { malformed, ProtocolError } from '../../../lib/stomp/codec/protocol-error.ts'
import { refusalOf } from '../../../lib/stomp/refusal.ts'
import { START } from '../../support/fakes/clock.ts'

const refused = (thrown: unknown) => {
  const { frame, closeCode, error } = refusalOf(thrown, { now: START, receipt: undefined })
  const { status } = JSON.parse(Buffer.from(frame.body).toString())
  return { status, closeCode, version: frame.headers.get('version'), cause: error.cause }
}

it.each([
  ['a broken rule', malformed('x'), 400, 1002, undefined],
  ['a version that nobody speaks', new ProtocolError('version', 'x'), 400, 1002, '1.2,1.1,1.0'],
  ['what is refused anyway', fail('AUTHENTICATION_REQUIRED'), 401, 1008, undefined],
  ['what is down', unavailable(new Error('down')), 503, 1013, undefined],
  ['a fault of ours', new Error('bug'), 500, 1011, undefined],
])('%s ends a session with its status and close code', (_, thrown, status, closeCode, version) => {
  expect(refused(thrown)).toMatchObject({ status, closeCode, version })
})

it('a fault of ours is kept for the log', () => {
  const bug = new Error('bug')
  expect(refused(bug).cause).toBe(bug)
})
