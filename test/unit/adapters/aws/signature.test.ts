import { describe, expect, it } from 'vitest'
import { signedHeaders } from '../../../../lib/adapters/aws/client.ts'

/** Those of AWS's own test suite for signature version 4. */
const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
const SCOPE = { region: 'us-east-1', service: 'service', at: new Date('2015-08-30T12:36:00Z') }
const HOST = 'example.amazonaws.com'

describe('a signature for AWS', () => {
  it.each([
    ['post-vanilla', {}, '', 'host;x-amz-date', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
    [
      'post-x-www-form-urlencoded',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'Param1=value1',
      'content-type;host;x-amz-date',
      'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
    ],
  ])('equals that of the test suite: %s', (_, headers, body, names, signature) => {
    expect(signedHeaders({ host: HOST, headers, body }, CREDENTIALS, SCOPE)).toEqual({
      ...headers,
      host: HOST,
      'x-amz-date': '20150830T123600Z',
      authorization: `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${names}, Signature=${signature}`,
    })
  })

  it.each([
    ['another secret', { ...CREDENTIALS, secretAccessKey: 'other' }, SCOPE],
    ['another region', CREDENTIALS, { ...SCOPE, region: 'eu-central-1' }],
  ])('has a separate key for %s, and the former key for the former one', (_, credentials, scope) => {
    const request = { host: HOST, headers: {}, body: '' }
    const signatureOf = (signed: Readonly<Record<string, string>>) => signed['authorization']?.split('Signature=')[1]
    const first = signatureOf(signedHeaders(request, CREDENTIALS, SCOPE))
    expect(signatureOf(signedHeaders(request, credentials, scope))).not.toBe(first)
    expect(signatureOf(signedHeaders(request, CREDENTIALS, SCOPE))).toBe(first)
  })

  it('covers the token of temporary credentials', () => {
    const signed = signedHeaders({ host: HOST, headers: {}, body: '' }, { ...CREDENTIALS, sessionToken: 't' }, SCOPE)
    expect(signed['x-amz-security-token']).toBe('t')
    expect(signed['authorization']).toContain('SignedHeaders=host;x-amz-date;x-amz-security-token,')
  })
})
