import { X509Certificate } from 'node:crypto'
import { choice, listOf, optional, parsed, type Rule, text, withDefault } from '../config.ts'
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
  return new Map(
    listOf(text).map((entry, index) => {
      const [, group, role] = /^(.*\S)\s*=\s*(\w+)$/.exec(entry) ?? []
      const known = ROLES.find((candidate) => candidate === role)
      if (group === undefined || known === undefined)
        throw new Error(`entry ${index + 1} must be group=${ROLES.join(' or group=')}`)
      return [group.toLowerCase(), known] as const
    }),
  )
}

const DEFAULT_GROUPS = 'admin=ROLE_ADMIN,admins=ROLE_ADMIN,administrators=ROLE_ADMIN,user=ROLE_USER,users=ROLE_USER'

/** The service account that searches the directory. */
export const ldapAccountSettings = {
  /** The account that searches the directory @default that of the embedded directory */
  LDAP_BIND_DN: parsed(distinguishedName),
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
