import * as z from 'zod/mini'
import { closed } from './text.ts'

const NAME = 'must be 1 to 64 characters without control characters'
const OBJECT = 'must be an object'
const RETURN = 'must be a text'

/** A credential id has at most 1,023 bytes (Web Authentication section 5.8.3). */
const ID_LENGTH = 1364
const RESPONSE_LENGTH = 65_536

/** A user handle has at most 64 bytes (Web Authentication section 5.4.3). */
const HANDLE_LENGTH = 86

function base64url(maximum: number) {
  const rule = `must be base64url of at most ${maximum} characters`
  return z.string(rule).check(z.regex(/^[\w-]+$/, rule), z.maxLength(maximum, rule))
}

const common = {
  id: base64url(ID_LENGTH),
  rawId: base64url(ID_LENGTH),
  type: z.literal('public-key', 'must be public-key'),
}

/** `PublicKeyCredential.toJSON()` after `create()`, as far as it is read. */
const attestation = z.object(
  {
    ...common,
    response: z.object(
      { clientDataJSON: base64url(RESPONSE_LENGTH), attestationObject: base64url(RESPONSE_LENGTH) },
      OBJECT,
    ),
  },
  OBJECT,
)

/** The same after `get()`. */
const assertion = z.object(
  {
    ...common,
    response: z.object(
      {
        clientDataJSON: base64url(RESPONSE_LENGTH),
        authenticatorData: base64url(RESPONSE_LENGTH),
        signature: base64url(RESPONSE_LENGTH),
        userHandle: base64url(HANDLE_LENGTH),
      },
      OBJECT,
    ),
  },
  OBJECT,
)

export type PasskeyAttestation = z.output<typeof attestation>
export type PasskeyAssertion = z.output<typeof assertion>

export const newPasskey = z.strictObject(
  { name: z.string(NAME).check(z.regex(/^[^\p{Cc}\p{Cs}]{1,64}$/u, NAME)), credential: attestation },
  { error: closed },
)

export const passkeyLogin = z.strictObject(
  { credential: assertion, returnTo: z.optional(z.string(RETURN)) },
  { error: closed },
)
