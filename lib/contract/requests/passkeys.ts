import * as z from 'zod/mini'
import { closed, label } from './fields.ts'

const OBJECT = 'must be an object'

/* @__NO_SIDE_EFFECTS__ */
function base64url(maximum: number) {
  const rule = `must be base64url of at most ${maximum} characters`
  return z.string(rule).check(z.regex(/^[\w-]+$/, rule), z.maxLength(maximum, rule))
}

/** A credential id has at most 1,023 bytes (Web Authentication section 5.8.3). */
const ID_LENGTH = 1364
const RESPONSE_LENGTH = 65_536

/** A user handle has at most 64 bytes (Web Authentication section 5.4.3). */
const HANDLE_LENGTH = 86

/** `PublicKeyCredential.toJSON()`, as far as it is read. */
/* @__NO_SIDE_EFFECTS__ */
function credential<R extends z.core.$ZodLooseShape>(response: R) {
  return z.object(
    {
      id: base64url(ID_LENGTH),
      rawId: base64url(ID_LENGTH),
      type: z.literal('public-key', 'must be public-key'),
      response: z.object({ clientDataJSON: base64url(RESPONSE_LENGTH), ...response }, OBJECT),
    },
    OBJECT,
  )
}

/** After `create()`. */
const attestation = credential({ attestationObject: base64url(RESPONSE_LENGTH) })

/** After `get()`. */
const assertion = credential({
  authenticatorData: base64url(RESPONSE_LENGTH),
  signature: base64url(RESPONSE_LENGTH),
  userHandle: base64url(HANDLE_LENGTH),
})

export type PasskeyAttestation = z.output<typeof attestation>
export type PasskeyAssertion = z.output<typeof assertion>

export const newPasskey = closed({ name: label(), credential: attestation })

export const passkeyLogin = closed({ credential: assertion, returnTo: z.optional(z.string('must be a text')) })
