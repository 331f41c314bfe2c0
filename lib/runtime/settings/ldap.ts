import { X509Certificate } from 'node:crypto'
import { type Config, choice, listOf, optional, parsed, type Rule, text, withDefault } from '../config.ts'
import { weaknessOf } from './strength.ts'

const ROLES = ['ROLE_ADMIN', 'ROLE_USER'] as const

type GroupRoles = ReadonlyMap<string, (typeof ROLES)[number]>

function ldapUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isServer = url && /^ldaps?:$/.test(url.protocol) && url.hostname !== ''
  if (isServer && url.href.replace(/\/$/, '') === `${url.protocol}//${url.host}`) return url
  throw new Error('must be ldap://host:port or ldaps://host:port')
}

function distinguishedName(text: string): string {
  if (/^[A-Za-z0-9][\w.-]*\s*=./.test(text)) return text
  throw new Error('must be a distinguished name')
}

/** Active Directory also takes a login name with its domain. */
function bindName(text: string): string {
  return /^[^\s@=]+@[^\s@=]+$/.test(text) ? text : distinguishedName(text)
}

/** Line breaks may be written as \n, because not every place for settings can hold them. */
function certificates(text: string): string {
  const pem = text.replaceAll('\\n', '\n')
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (blocks.length > 0 && blocks.every(isCertificate)) return pem
  throw new Error('must be certificates in PEM form')
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

/** Names of groups are compared without case. */
function groupRoles(text: string): GroupRoles {
  const entries = listOf(text)
  return new Map(
    (entries.length > 0 ? entries : ['']).map((entry, index) => {
      const [, group, role] = /^(.*\S)\s*=\s*(\w+)$/.exec(entry) ?? []
      const known = ROLES.find((candidate) => candidate === role)
      if (group === undefined || known === undefined)
        throw new Error(`entry ${index + 1} must be group=${ROLES.join(' or group=')}`)
      return [group.toLowerCase(), known] as const
    }),
  )
}

const ATTRIBUTE = /^[A-Za-z][A-Za-z0-9-]*$/

function attribute(text: string): string {
  if (ATTRIBUTE.test(text)) return text
  throw new Error('must be the name of an attribute')
}

/** A filter (RFC 4515) around others, or an item. */
const around = (inner: string) => `\\((?:[&|!](?:${inner})+|[A-Za-z][^()=]*=[^()]*)\\)`
const FILTER = new RegExp(`^${around(around(around(around('\\(\\)'))))}$`)

function filter(text: string): string {
  if (FILTER.test(text)) return text
  throw new Error('must be a filter')
}

/** A part of a filter whose value is the distinguished name of the user, or the login name. */
export const MEMBER_ITEM = /\(([A-Za-z][\w-]*)(:[\d.]+:)?=\{(dn|name)\}\)/g

function groups(text: string): string {
  const others = text.replaceAll(MEMBER_ITEM, '')
  if (ATTRIBUTE.test(text) || (FILTER.test(text) && others !== text && !/[{}]/.test(others))) return text
  throw new Error('must be a filter with items like (member={dn}) or (memberUid={name}), or the name of an attribute')
}

/** Finds members of members, in Active Directory (MS-ADTS section 3.1.1.3.4.4.3). */
export const IN_CHAIN = ':1.2.840.113556.1.4.1941:'

/** How a directory names what a login needs: the settings below. */
export interface LdapSchema {
  readonly user: string
  /** The attribute with a login name that contains an `@`. */
  readonly mailLike?: string | undefined
  readonly id: string
  readonly groups: string
  readonly lock: string
}

const KINDS = {
  openldap: {
    user: 'uid',
    id: 'entryUUID',
    groups: '(|(member={dn})(uniqueMember={dn})(memberUid={name}))',
    // draft-behera-ldap-password-policy section 5.3.3; the other times result from failed guesses, which must not end
    // the owner's sessions.
    lock: '(pwdAccountLockedTime=000001010000Z)',
  },
  ad: {
    user: 'sAMAccountName',
    mailLike: 'userPrincipalName',
    id: 'objectGUID',
    groups: `(member${IN_CHAIN}={dn})`,
    lock: '(userAccountControl:1.2.840.113556.1.4.803:=2)',
  },
  freeipa: { user: 'uid', id: 'ipaUniqueID', groups: 'memberOf', lock: '(nsAccountLock=TRUE)' },
} as const satisfies Record<string, LdapSchema>

const DEFAULT_GROUPS = 'admin=ROLE_ADMIN,admins=ROLE_ADMIN,administrators=ROLE_ADMIN,user=ROLE_USER,users=ROLE_USER'

/** The service account that searches the directory. */
export const ldapAccountSettings = {
  /** The account that searches the directory @default that of the embedded directory */
  LDAP_BIND_DN: parsed(bindName),
  /** Its password @default that of the embedded directory */
  LDAP_BIND_PASSWORD: text,
}

/** The address of the directory, and the role of each of its groups. */
export const ldapSettings = {
  /** The directory; off the local stage `ldaps:` or StartTLS @default the embedded directory */
  LDAP_URL: parsed(ldapUrl),
  /** Whether an `ldap:` address starts TLS */
  LDAP_START_TLS: withDefault(choice(['true', 'false']), 'false'),
  /** Certificates in PEM that the directory is verified with @default the system's */
  LDAP_CA: optional(parsed(certificates)),
  /** The entry below which users and groups are searched @default that of the embedded directory */
  LDAP_BASE: parsed(distinguishedName),
  /** `group=ROLE_ADMIN,group=ROLE_USER` @default `admins`, `administrators` and `users` */
  LDAP_GROUP_ROLES: withDefault(parsed(groupRoles), groupRoles(DEFAULT_GROUPS)),
  /** `openldap`, `ad` or `freeipa`: [the attributes](guide/choose-authentication.md#a-directory) of such a directory */
  LDAP_KIND: withDefault(choice(['openldap', 'ad', 'freeipa']), 'openldap'),
  /** The attribute with the login name @default that of the kind */
  LDAP_USER_ATTRIBUTE: optional(parsed(attribute)),
  /** The attribute with an id that no other entry ever gets, text or binary @default that of the kind */
  LDAP_ID_ATTRIBUTE: optional(parsed(attribute)),
  /**
   * The groups of a user: a filter with `{dn}` or `{name}`, or the attribute of the user that names them @default that
   * of the kind
   */
  LDAP_GROUP_FILTER: optional(parsed(groups)),
  /** A filter for the users whom an administrator has locked @default that of the kind */
  LDAP_LOCK_FILTER: optional(parsed(filter)),
}

/** The schema of the kind, except for what is set alone. */
export function ldapSchema(config: Config<typeof ldapSettings>): LdapSchema {
  const kind: LdapSchema = KINDS[config.LDAP_KIND]
  return {
    user: config.LDAP_USER_ATTRIBUTE ?? kind.user,
    mailLike: config.LDAP_USER_ATTRIBUTE === undefined ? kind.mailLike : undefined,
    id: config.LDAP_ID_ATTRIBUTE ?? kind.id,
    groups: config.LDAP_GROUP_FILTER ?? kind.groups,
    lock: config.LDAP_LOCK_FILTER ?? kind.lock,
  }
}

interface Transport {
  readonly STAGE: string
  readonly LDAP_URL: URL
  readonly LDAP_START_TLS: string
}

/** Passwords cross a network in the clear nowhere but on a developer's machine (RFC 4513 section 6.3.3). */
export const directoryProtected: Rule<Transport> = {
  settings: ['STAGE', 'LDAP_URL', 'LDAP_START_TLS'],
  broken: ({ STAGE, LDAP_URL, LDAP_START_TLS }) => {
    const isTls = LDAP_URL.protocol === 'ldaps:'
    if (isTls && LDAP_START_TLS === 'true') return 'LDAP_START_TLS: must be false for an ldaps address'
    if (isTls || LDAP_START_TLS === 'true' || STAGE === 'local') return undefined
    return 'LDAP_URL: must be an ldaps address on a deployed stage, unless LDAP_START_TLS is true'
  },
}

/** What NIST SP 800-63B requires of a password at least. */
const MINIMUM_LENGTH = 8

interface Service {
  readonly STAGE: string
  readonly LDAP_BIND_PASSWORD: string
}

/** A deployed stage does not search its directory with a password that everybody knows. */
export const strongPasswordDeployed: Rule<Service> = {
  settings: ['STAGE', 'LDAP_BIND_PASSWORD'],
  broken: ({ STAGE, LDAP_BIND_PASSWORD }) => {
    const weakness = STAGE === 'local' ? undefined : weaknessOf(LDAP_BIND_PASSWORD, MINIMUM_LENGTH)
    return weakness && `LDAP_BIND_PASSWORD: ${weakness}`
  },
}
