import { registeredPasskey } from '../contract/passkey-schemas.ts'
import { newPasskey } from '../contract/requests/passkeys.ts'
import { jsonContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { NEW_CREDENTIAL, PASSKEY } from './examples.ts'
import { RECORD, SESSION, TAKE_CHALLENGE } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'POST',
  path: '/api/passkeys/registration',
  access: 'authenticated',
  credentials: 'session',
  audit: { action: 'passkey.created' },
} as const satisfies Route

export const sampleRequest = { json: {}, granted: 400 } as const satisfies SampleRequest

export const about = () => {
  const { id, name, createdAt } = PASSKEY
  return {
    tag: 'Passkeys',
    summary: 'Add a passkey',
    description:
      '`credential` is what `toJSON()` of the new credential gives. It has to answer the last challenge of the session, on a page of this service, with the user verified; the attempt spends the challenge. An account has at most 10 passkeys.',
    reads: { json: newPasskey },
    bodyExample: { name, credential: NEW_CREDENTIAL },
    refuses: ['PASSKEYS_ELSEWHERE', 'PASSKEY_LIMIT_REACHED'],
    answers: {
      201: {
        description: 'The passkey logs the account in from now on.',
        example: { id, name, createdAt },
        content: jsonContent(registeredPasskey),
      },
    },
    grants: [...SESSION, RECORD, TAKE_CHALLENGE, { PasskeysTable: ['UpdateItem'] }],
  } as const satisfies About
}
