import {
  type Client,
  type Entry,
  EqualityFilter,
  type Filter,
  FilterParser,
  OrFilter,
  ResultCodeError,
  type SearchOptions,
} from 'ldapts'
import type { Log } from '../../runtime/log.ts'
import type { Current } from '../../runtime/secrets.ts'
import type { LdapSchema } from '../../runtime/settings/ldap.ts'
import type { Role } from '../../users/role.ts'
import type { DirectoryServer } from './socket.ts'

export interface LdapOptions extends DirectoryServer {
  /** The service account that searches the directory. */
  readonly service: Current<{ readonly dn: string; readonly password: string }>
  /** Users and groups are looked for below it, at any depth. */
  readonly base: string
  /** By the lower-case name of the group. */
  readonly groupRoles: ReadonlyMap<string, Role>
  readonly schema: LdapSchema
  readonly log: Log
}

/** The options, and a connection as the service account. */
export interface Searching extends LdapOptions {
  readonly client: Client
}

/** How many entries an answer may have; Active Directory allows 1,000. */
export const PAGE = 250
const MOST = 1000

/** A limit of time (3), of entries (4), or of another kind (11) that the server has for a search. */
const LIMITS: readonly number[] = [3, 4, 11]

/** For entries below a base, at any depth. */
export function searchOptions({ id }: LdapSchema, filter: Filter, attributes: readonly string[]): SearchOptions {
  return { scope: 'sub', filter, attributes: [...attributes], explicitBufferAttributes: [id] }
}

const any = () => true

export interface Found {
  readonly entries: readonly Entry[]
  /** Whether these are all; otherwise there are more than were wanted, or than the server shows. */
  readonly isWhole: boolean
}

/**
 * The entries below the base, by pages (RFC 2696), so that a server's limit for one answer does not matter; at most the
 * wanted number of those that count.
 */
export async function search(
  { client, base, schema }: Searching,
  filter: Filter,
  attributes: readonly string[],
  { wanted = Number.POSITIVE_INFINITY, counts = any }: { wanted?: number; counts?: (entry: Entry) => boolean } = {},
): Promise<Found> {
  const options = searchOptions(schema, filter, attributes)
  const entries: Entry[] = []
  try {
    for await (const { searchEntries } of client.searchPaginated(base, { ...options, paged: { pageSize: PAGE } })) {
      entries.push(...searchEntries.filter(counts))
      if (entries.length > wanted) return { entries: entries.slice(0, wanted), isWhole: false }
    }
    return { entries, isWhole: true }
  } catch (error) {
    if (!(error instanceof ResultCodeError && LIMITS.includes(error.code))) throw error
    if (entries.length > 0) return { entries, isWhole: false }
    // ldapts drops what came with such an answer, unless a limit was asked for.
    const { searchEntries } = await client.search(base, { ...options, sizeLimit: Math.min(wanted, MOST) })
    return { entries: searchEntries.filter(counts), isWhole: false }
  }
}

const SPECIAL = /[\\*()\0]/g

/** A filter (RFC 4515) with the names of an entry in it. ldapts reads escapes as Latin-1, so only ASCII has them. */
export function filterFor(template: string, names: Readonly<Record<string, string>> = {}): Filter {
  const escaped = (character: string) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`
  const text = template.replaceAll(/\{(\w+)\}/g, (_, key) => (names[key] ?? '').replaceAll(SPECIAL, escaped))
  return FilterParser.parseString(text)
}

/** What has one of the values; nothing without values. */
export function anyOf(attribute: string, values: Iterable<string | Buffer>): Filter {
  return new OrFilter({ filters: [...values].map((value) => new EqualityFilter({ attribute, value })) })
}
