import { describe, expect, it } from 'vitest'
import { signedCallOf } from '../../../../lib/webhooks/explain/recorded.ts'
import { providerOf } from '../../../../lib/webhooks/providers/index.ts'
import { shownHeaders } from '../../../../lib/webhooks/refusals/headers.ts'
import { readVectors } from '../../../../localstack/signatures/file.ts'

const MARK = 's3cret'

const SIGNED_IN_HEADERS = readVectors('test/vectors/webhook-signatures.json').filter(
  ({ id, scheme }) => id.endsWith('/valid') && providerOf(scheme).scheme.header !== undefined,
)

describe('the headers of a refused call', () => {
  it('are shown if they are stored with events, and only named otherwise', () => {
    const headers = {
      authorization: `Bearer ${MARK}`,
      'content-encoding': 'gzip',
      'content-type': 'application/json',
      cookie: `JSESSIONID=${MARK}`,
      'proxy-authorization': `Basic ${MARK}`,
      'user-agent': 'sender/1',
      'x-amz-security-token': MARK,
      'x-api-key': MARK,
      'x-event': 'push',
      'x-hub-signature-256': `sha256=${MARK}`,
      'x-request-id': 'r-1',
    }
    expect(shownHeaders(headers, ['x-event'])).toEqual({
      authorization: null,
      'content-encoding': 'gzip',
      'content-type': 'application/json',
      cookie: null,
      'proxy-authorization': null,
      'user-agent': 'sender/1',
      'x-amz-security-token': null,
      'x-api-key': null,
      'x-event': 'push',
      'x-hub-signature-256': null,
      'x-request-id': 'r-1',
    })
  })

  it.each(SIGNED_IN_HEADERS)('are stored without any value of a proof: $id', (vector) => {
    const call = signedCallOf(vector)
    const { scheme, keptHeaders } = providerOf(vector.scheme)
    expect(scheme.read(call)).toBeDefined()
    const shown = Object.entries(shownHeaders(call.headers, keptHeaders))
    const headers = Object.fromEntries(shown.map(([name, value]) => [name, value ?? undefined]))
    expect(scheme.read({ ...call, headers })).toBeUndefined()
  })

  it('are limited to fifty, and to the beginning of each name and value', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`x-${index}`, 'v']))
    expect(Object.keys(shownHeaders(many))).toHaveLength(50)
    const long = shownHeaders({ ['n'.repeat(1000)]: 'v', 'user-agent': 'v'.repeat(1000) })
    expect(long).toEqual({ ['n'.repeat(64)]: null, 'user-agent': 'v'.repeat(256) })
  })
})
