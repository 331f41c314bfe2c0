import { describe, expect, it } from 'vitest'
import { provider } from '../../../../lib/webhooks/providers/docusign.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

describe('DocuSign', () => {
  const signaturesOf = (headers: Record<string, string>) => readingOf(provider.scheme, signedCall(headers))?.signatures

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
  ])('is verified in no other header: %s', (name) => {
    expect(signaturesOf({ [name]: 'AAAA' })).toBeUndefined()
  })
})
