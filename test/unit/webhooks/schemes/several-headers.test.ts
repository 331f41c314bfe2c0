import { describe, expect, it } from 'vitest'
import { docusign, zendesk } from '../../../../lib/webhooks/schemes/several-headers.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

describe('DocuSign', () => {
  const signaturesOf = (headers: Record<string, string>) => readingOf(docusign, signedCall(headers))?.signatures

  it('sends a signature for each of its keys', () => {
    const headers = {
      'x-docusign-signature-1': 'AAAA',
      'x-docusign-signature-2': 'BBBB',
      'x-docusign-signature-100': 'CCCC',
    }
    expect(signaturesOf(headers)).toEqual(['000000', '041041', '082082'])
  })

  it.each([
    'x-docusign-signature',
    'x-docusign-signature-',
    'x-docusign-signature-a',
    'x-docusign-signature-1-2',
    'y-x-docusign-signature-1',
  ])('signs in no other header: %s', (name) => {
    expect(signaturesOf({ [name]: 'AAAA' })).toBeUndefined()
  })

  it('signs in nothing but base64', () => {
    expect(signaturesOf({ 'x-docusign-signature-1': '?' })).toBeUndefined()
  })
})

describe('Zendesk', () => {
  const TIME = 'x-zendesk-webhook-signature-timestamp'
  const read = (time: string) =>
    readingOf(zendesk, signedCall({ 'x-zendesk-webhook-signature': 'AAAA', [TIME]: time }, '{}'))

  it('signs the time, then the body', () => {
    expect(read('2025-10-09T08:53:20Z')).toEqual({
      signatures: ['000000'],
      signedAt: 1_760_000_000_000,
      signed: '2025-10-09T08:53:20Z{}',
    })
  })

  it.each(['', '1760000000', '2025-10-09T08:53:20'])('signs no time that is written otherwise: "%s"', (time) => {
    expect(read(time)).toBeUndefined()
  })
})
