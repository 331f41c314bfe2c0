import * as z from 'zod/mini'
import type { ClaimedRoles } from '../../runtime/settings/oidc.ts'
import { highestRole, type Role } from '../../users/role.ts'
import type { OAuth2Profile, PrincipalType } from '../principal.ts'
import { type Attributes, LoginRefused } from './identity-provider.ts'

/** Who a provider's user is: its own id of them, never an e-mail address (OpenID Connect Core section 5.7). */
export interface ProviderIdentity {
  readonly subject: string
  readonly principalType: PrincipalType
  readonly profile: OAuth2Profile
}

interface Provider {
  readonly principalType: PrincipalType
  readonly subject: string
  /** The attributes that are stored and shown; all others that a provider sends are dropped. */
  readonly shown: readonly string[]
  readonly email: (attributes: Attributes) => unknown
  readonly name: (attributes: Attributes) => unknown
  readonly picture: (attributes: Attributes) => unknown
}

/** The claims of OpenID Connect Core section 5.1. Apple and Amazon Cognito send `email_verified` as a text. */
const OPENID: Provider = {
  principalType: 'OidcUser',
  subject: 'sub',
  shown: [
    'sub',
    'name',
    'given_name',
    'family_name',
    'preferred_username',
    'email',
    'email_verified',
    'picture',
    'locale',
  ],
  email: ({ email, email_verified }) => (String(email_verified) === 'true' ? email : null),
  name: ({ name, preferred_username }) => textOf(name) ?? preferred_username,
  picture: ({ picture }) => picture,
}

/** The providers without OpenID Connect. */
const OTHERS: Readonly<Record<string, Provider>> = {
  github: {
    principalType: 'OAuth2User',
    subject: 'id',
    shown: ['id', 'login', 'name', 'avatar_url', 'html_url'],
    email: ({ emails }) => primaryEmail(emails),
    name: ({ name, login }) => name ?? login,
    picture: ({ avatar_url }) => avatar_url,
  },
  facebook: {
    principalType: 'OAuth2User',
    subject: 'id',
    shown: ['id', 'name', 'email'],
    email: ({ email }) => email,
    name: ({ name }) => name,
    picture: ({ picture }) => graphPicture(picture),
  },
}

/** @throws LoginRefused when the provider does not say who it is */
export function identityOf(id: string, attributes: Attributes): ProviderIdentity {
  const provider = OTHERS[id] ?? OPENID
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
  return { subject, principalType: provider.principalType, profile }
}

/** The highest role that a claim gives: a text or a list of texts. */
export function claimedRole(attributes: Attributes, { claim, map }: ClaimedRoles): Role | undefined {
  const values = new Set([memberAt(attributes, claim)].flat())
  return highestRole(Object.entries(map).flatMap(([value, role]) => (values.has(value) ? role : [])))
}

/** By name, or by a path with dots; names may have dots as well, as in `https://example.com/roles`. */
function memberAt(part: unknown, path: string): unknown {
  if (typeof part !== 'object' || part === null) return undefined
  const members = part as Attributes
  if (Object.hasOwn(members, path)) return members[path]
  for (const { index } of path.matchAll(/\./g)) {
    const name = path.slice(0, index)
    const found = Object.hasOwn(members, name) ? memberAt(members[name], path.slice(index + 1)) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** OpenID Connect Core section 2: at most 255 ASCII characters. */
const SUBJECT = /^[ -~]{1,255}$/

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
