import { creationOptions } from '../contract/passkey-schemas.ts'
import { jsonContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { CHALLENGE } from './examples.ts'
import { KEEP_CHALLENGE, READ_PASSKEYS, SESSION } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'POST',
  path: '/api/passkeys/registration/options',
  access: 'authenticated',
  credentials: 'session',
} as const satisfies Route

export const sampleRequest = { granted: 200 } as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Passkeys',
    summary: 'Begin to add a passkey',
    description:
      'The challenge belongs to the session, which has one: the last. A session of an identity provider is refused with 403.',
    refuses: ['PASSKEYS_ELSEWHERE', 'PASSKEY_LIMIT_REACHED'],
    answers: {
      200: {
        description: 'What the browser needs to make a passkey.',
        example: {
          rp: { id: 'gatehouse.example', name: 'Gatehouse' },
          user: { id: 'MDE5OWExYzItN2IzYy03YzFlLTlmNWEtM2E1ZjBjN2QyZTEx', name: 'ada', displayName: 'ada' },
          challenge: CHALLENGE,
          pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
          timeout: 300_000,
          excludeCredentials: [],
          authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
          attestation: 'none',
        },
        content: jsonContent(creationOptions),
      },
    },
    grants: [...SESSION, READ_PASSKEYS, KEEP_CHALLENGE],
  }) as const satisfies About
