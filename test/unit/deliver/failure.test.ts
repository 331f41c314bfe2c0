import { expect, it } from 'vitest'
import { failureOf } from '../../../lib/deliver/carrier.ts'
import { unavailable } from '../../../lib/errors.ts'

const coded = (code: unknown) => Object.assign(new Error('what was received'), { code })

it.each([
  ['ABORT_ERR', 'timed out'],
  ['ETIMEDOUT', 'timed out'],
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection reset'],
  ['EPIPE', 'connection reset'],
  ['ENOTFOUND', 'name not found'],
  ['EAI_AGAIN', 'name not found'],
  ['EHOSTUNREACH', 'address not reachable'],
  ['CERT_HAS_EXPIRED', 'certificate is not valid: CERT_HAS_EXPIRED'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate is not valid: UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate is not valid: ERR_TLS_CERT_ALTNAME_INVALID'],
  ['EPROTO', 'connection failed: EPROTO'],
  [undefined, 'connection failed: for an unknown reason'],
  ['what was received', 'connection failed: for an unknown reason'],
])('only the code of an error is reported: %s', (code, answer) => {
  expect(failureOf(coded(code))).toEqual({ kind: 'failed', answer })
})

it.each([undefined, 'text', new Error('without a code')])('any thrown value is reported: %s', (thrown) => {
  expect(failureOf(thrown)).toEqual({ kind: 'failed', answer: 'connection failed: for an unknown reason' })
})

it('an internal error is thrown again', () => {
  const error = unavailable(new Error('no credentials'))
  expect(() => failureOf(error)).toThrow(error)
})
