import * as z from 'zod'
import { CHECK_NAMES, CHECK_RESULTS, MAXIMUM_FIELDS, STEP_NAMES } from '../login-steps.ts'
import { instant } from './shapes.ts'

export const oauth2Profile = z
  .strictObject({
    message: z.string(),
    user: z.string(),
    provider: z.string(),
    email: z.string().nullable(),
    name: z.string().nullable(),
    picture: z.string().nullable(),
    attributes: z.record(z.string(), z.unknown()).describe('Attributes from the provider; never a token.'),
  })
  .meta({ id: 'OAuth2Profile' })

const loginFields = z
  .array(z.strictObject({ name: z.string(), value: z.string() }).meta({ id: 'LoginField' }))
  .max(MAXIMUM_FIELDS)
  .describe('The first characters of a secret and …; only … for hidden values.')

export const loginSteps = z
  .strictObject({
    provider: z.string(),
    at: instant,
    steps: z.array(
      z
        .strictObject({
          name: z.enum(STEP_NAMES),
          method: z.enum(['GET', 'POST']),
          url: z.string().describe('Without its query.'),
          sent: loginFields,
          answer: z.strictObject({ status: z.int(), fields: loginFields }).meta({ id: 'LoginAnswer' }).optional(),
          checks: z.array(
            z
              .strictObject({
                name: z.enum(CHECK_NAMES),
                result: z.enum(CHECK_RESULTS),
                value: z.string().optional().describe('The compared value; a secret is shortened.'),
              })
              .meta({ id: 'LoginCheck' }),
          ),
        })
        .meta({ id: 'LoginStep' }),
    ),
  })
  .meta({ id: 'LoginSteps', description: 'The steps of a login with an identity provider.' })

const base64url = z.string().regex(/^[\w-]+$/)

const challenge = base64url.describe('32 random bytes in base64url. It may be answered once, within 5 minutes.')

const timeout = z.literal(300_000).describe('In milliseconds.')

const descriptor = z.strictObject({ type: z.literal('public-key'), id: base64url })

const passkey = z
  .strictObject({
    id: z.string().regex(/^[\da-f]{64}$/),
    name: z.string(),
    createdAt: instant,
    lastUsedAt: instant.nullable().describe('`null` before the first login.'),
  })
  .meta({ id: 'Passkey', description: 'A passkey of an account, without its key.' })

export const registeredPasskey = passkey
  .omit({ lastUsedAt: true })
  .meta({ id: 'RegisteredPasskey', description: 'A passkey that was added.' })

export const passkeyList = z.strictObject({ passkeys: z.array(passkey).max(10) }).meta({ id: 'PasskeyList' })

export const creationOptions = z
  .strictObject({
    rp: z.strictObject({ id: z.string().describe('The host of `BASE_URL`.'), name: z.string() }),
    user: z.strictObject({
      id: base64url.describe('The id of the account.'),
      name: z.string(),
      displayName: z.string(),
    }),
    challenge,
    pubKeyCredParams: z.array(z.strictObject({ type: z.literal('public-key'), alg: z.int() })),
    timeout,
    excludeCredentials: z.array(descriptor).max(10),
    authenticatorSelection: z.strictObject({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('required'),
    }),
    attestation: z.literal('none'),
  })
  .meta({ id: 'PasskeyCreationOptions', description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON()`.' })

export const requestOptions = z
  .strictObject({
    challenge,
    rpId: z.string().describe('The host of `BASE_URL`.'),
    timeout,
    userVerification: z.literal('required'),
    allowCredentials: z.array(descriptor).max(0).describe('Any passkey of the service will do.'),
  })
  .meta({ id: 'PasskeyRequestOptions', description: 'For `PublicKeyCredential.parseRequestOptionsFromJSON()`.' })

export const loginRedirect = z
  .strictObject({ redirect: z.string().describe('The page to go to: `returnTo` if it is a path of ours, else `/`.') })
  .meta({ id: 'LoginRedirect' })
