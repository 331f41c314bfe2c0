import * as z from 'zod/mini'
import type { OAuth2Profile, PrincipalType } from '../principal.ts'
import { type Attributes, LoginRefused } from './identity-provider.ts'

/** Who a provider's user is: its own id of them, never an e-mail address (OpenID Connect Core section 5.7). */
export interface ProviderIdentity {
  readonly subject: string
  readonly profile: OAuth2Profile
}

interface Provider {
  readonly principalType: PrincipalType
  readonly scope: string
  readonly subject: string
  /** The attributes that are stored and shown; all others that a provider sends are dropped. */
  readonly shown: readonly string[]
  readonly email: (attributes: Attributes) => unknown
  readonly name: (attributes: Attributes) => unknown
  readonly picture: (attributes: Attributes) => unknown
}

export const IDENTITY_PROVIDERS = {
  google: {
    principalType: 'OidcUser',
    scope: 'openid profile email',
    subject: 'sub',
    shown: ['sub', 'name', 'given_name', 'family_name', 'email', 'email_verified', 'picture', 'locale'],
    email: ({ email, email_verified }) => (email_verified === true ? email : null),
    name: ({ name }) => name,
    picture: ({ picture }) => picture,
  },
  github: {
    principalType: 'OAuth2User',
    scope: 'read:user user:email',
    subject: 'id',
    shown: ['id', 'login', 'name', 'avatar_url', 'html_url'],
    email: ({ emails }) => primaryEmail(emails),
    name: ({ name, login }) => name ?? login,
    picture: ({ avatar_url }) => avatar_url,
  },
  facebook: {
    principalType: 'OAuth2User',
    scope: 'public_profile email',
    subject: 'id',
    shown: ['id', 'name', 'email'],
    email: ({ email }) => email,
    name: ({ name }) => name,
    picture: ({ picture }) => graphPicture(picture),
  },
} as const satisfies Record<string, Provider>

export type ProviderId = keyof typeof IDENTITY_PROVIDERS

/** @throws LoginRefused when the provider does not say who it is */
export function identityOf(id: ProviderId, attributes: Attributes): ProviderIdentity {
  const provider: Provider = IDENTITY_PROVIDERS[id]
  const given = attributes[provider.subject]
  const subject = typeof given === 'number' ? `${given}` : (textOf(given) ?? '')
  if (!SUBJECT.test(subject)) throw new LoginRefused('identity-incomplete', { refused: { check: 'subject' } })
  const shown = provider.shown.map((name) => [name, attributes[name]]).filter(([, value]) => isPlain(value))
  const profile = {
    provider: id,
    email: textOf(provider.email(attributes)),
    name: textOf(provider.name(attributes)),
    picture: textOf(provider.picture(attributes)),
    attributes: Object.fromEntries(shown),
  }
  return { subject, profile }
}

/** OpenID Connect Core section 2: at most 255 ASCII characters. A comma would split the list of administrators. */
const SUBJECT = /^[!-+.-~-]{1,255}$/

const MAXIMUM_TEXT = 2048

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= MAXIMUM_TEXT ? value : null
}

function isPlain(value: unknown): boolean {
  return typeof value === 'boolean' || typeof value === 'number' || textOf(value) !== null
}

const emailList = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

function primaryEmail(emails: unknown): string | undefined {
  const { data = [] } = z.safeParse(emailList, emails)
  return data.find(({ primary, verified }) => primary && verified)?.email
}

const graphImage = z.object({ data: z.object({ url: z.string() }) })

function graphPicture(picture: unknown): string | undefined {
  return z.safeParse(graphImage, picture).data?.data.url
}
