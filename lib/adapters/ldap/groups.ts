import { AndFilter, type Entry, type Filter, OrFilter, ResultCodeError } from 'ldapts'
import { IN_CHAIN, MEMBER_ITEM } from '../../runtime/settings/ldap.ts'
import type { Role } from '../../users/role.ts'
import { dnElements, dnKey, valueKey } from './dn.ts'
import { valuesOf } from './entry.ts'
import { anyOf, filterFor, type LdapOptions, type Searching, search } from './search.ts'

const NAME = 'cn'
const OF_GROUPS = 'memberOf'

/** How far groups of groups are followed from a user, and how many of them. */
const LEVELS = 10
const MAXIMUM = 200

/** Whether the groups are found by a filter; otherwise the user names them. */
const isFilter = ({ schema }: LdapOptions) => schema.groups.startsWith('(')

/** What has to be read of a user to know its groups. */
export function groupAttributes(at: LdapOptions): readonly string[] {
  if (!isFilter(at)) return [at.schema.groups]
  return at.schema.groups.includes(IN_CHAIN) ? [OF_GROUPS] : []
}

/**
 * Only groups with a role count; their place in the tree does not matter.
 * @param name its login name
 */
export async function rolesOfUser(at: Searching, user: Entry, name: string): Promise<readonly Role[]> {
  const way = await wayOf(at)
  if (way === 'named') return rolesIn(namesIn(user, at), at)
  if (way === 'walk') return rolesIn(namesOf(await walkUp(at, user.dn, name)), at)
  const filters = [withRole(at), filterFor(at.schema.groups, { dn: user.dn, name })]
  return rolesIn(namesOf((await search(at, new AndFilter({ filters }), [NAME])).entries), at)
}

/** Groups of groups, for a server that does not look for them itself. */
async function walkUp(at: Searching, from: string, name: string): Promise<readonly Entry[]> {
  const template = at.schema.groups.replaceAll(IN_CHAIN, '')
  const groups = new Map<string, Entry>()
  let last = [from]
  for (let level = 0; level < LEVELS && last.length > 0 && groups.size < MAXIMUM; level++) {
    const filters = last.map((dn) => filterFor(template, { dn, name }))
    const { entries } = await search(at, new OrFilter({ filters }), [NAME])
    const fresh = entries.filter(({ dn }) => !groups.has(dnKey(dn)))
    for (const group of fresh) groups.set(dnKey(group.dn), group)
    last = fresh.map(({ dn }) => dn)
  }
  if (last.length > 0)
    at.log.warn('groups of groups of a user are followed no further', { levels: LEVELS, maximum: MAXIMUM })
  return [...groups.values()]
}

/** RFC 4512 section 5.1, and MS-ADTS section 3.1.1.3.4.3.1. */
const CAPABILITIES = 'supportedCapabilities'
const ACTIVE_DIRECTORY = '1.2.840.113556.1.4.800'

/**
 * How the groups of a user are found: by the names in its entry, by one search, by one that follows groups of groups, or
 * by walking. Other servers than Active Directory answer its rule for groups of groups with success and no entry.
 */
async function wayOf(at: Searching): Promise<'named' | 'search' | 'chain' | 'walk'> {
  if (!isFilter(at)) return 'named'
  if (!at.schema.groups.includes(IN_CHAIN)) return 'search'
  try {
    const { searchEntries } = await at.client.search('', { scope: 'base', attributes: [CAPABILITIES] })
    return searchEntries.some((root) => valuesOf(root, CAPABILITIES).includes(ACTIVE_DIRECTORY)) ? 'chain' : 'walk'
  } catch (error) {
    if (error instanceof ResultCodeError) return 'walk'
    throw error
  }
}

const withRole = ({ groupRoles }: LdapOptions) => anyOf(NAME, groupRoles.keys())

/** What may have members. In Active Directory that is also a group with none but inside of its groups. */
const anyGroup = ({ schema }: LdapOptions, isChain: boolean) =>
  filterFor(schema.groups.replaceAll(MEMBER_ITEM, isChain ? '(objectClass=group)' : '($1=*)'))

function groupsWithRole(at: LdapOptions, isChain: boolean): Filter {
  return isFilter(at) ? new AndFilter({ filters: [withRole(at), anyGroup(at, isChain)] }) : withRole(at)
}

/** Whether there is a group, with members that we may read, that gives a role. */
export async function hasGroups(at: Searching): Promise<boolean> {
  const filter = groupsWithRole(at, (await wayOf(at)) === 'chain')
  return (await search(at, filter, [NAME], { wanted: 1 })).entries.length > 0
}

/** A group, and the key of a user or a group that is in it: {@link dnKey} or {@link nameKey}. */
interface Membership {
  readonly key: string
  readonly group: Entry
}

/** No key of a distinguished name has this form. */
const nameKey = (name: string) => `name ${name}`

/**
 * The roles of any user from one reading of the groups, in agreement with {@link rolesOfUser}; `isWhole` where the server
 * shows all groups.
 */
export async function groupsAtOnce(at: Searching) {
  const way = await wayOf(at)
  if (way === 'named') return { rolesOf: (user: Entry, _: string) => rolesIn(namesIn(user, at), at), isWhole: true }
  const { pairs, isWhole } = way === 'chain' ? await insideOfGroups(at) : await membersOfGroups(at, way === 'walk')
  const above = Map.groupBy(pairs, ({ key }) => key)
  return {
    rolesOf(user: Entry, name: string) {
      const keys = way === 'chain' ? valuesOf(user, OF_GROUPS).map(dnKey) : [dnKey(user.dn), nameKey(name)]
      return rolesIn(namesOf(climb(above, keys, way === 'walk' ? LEVELS : 1)), at)
    },
    isWhole,
  }
}

/** Active Directory shows 1,500 members of a group at most, but all groups of a user and inside of a group. */
async function insideOfGroups(at: Searching) {
  const pairs: Membership[] = []
  let { entries, isWhole } = await search(at, groupsWithRole(at, true), [NAME])
  for (const group of entries) {
    const filter = filterFor(`(&(objectClass=group)(${OF_GROUPS}${IN_CHAIN}={dn}))`, { dn: group.dn })
    const inside = await search(at, filter, [NAME])
    pairs.push(...[group, ...inside.entries].map(({ dn }) => ({ key: dnKey(dn), group })))
    isWhole &&= inside.isWhole
  }
  return { pairs, isWhole }
}

async function membersOfGroups(at: Searching, isWalk: boolean) {
  const items = [...at.schema.groups.matchAll(MEMBER_ITEM)].map(([, attribute = '', , kind]) => ({
    attribute,
    keyOf: kind === 'dn' ? dnKey : nameKey,
  }))
  const filter = isWalk ? anyGroup(at, false) : groupsWithRole(at, false)
  const { entries, isWhole } = await search(at, filter, [NAME, ...items.map(({ attribute }) => attribute)])
  const pairs = entries.flatMap((group) =>
    items.flatMap(({ attribute, keyOf }) => valuesOf(group, attribute).map((value) => ({ key: keyOf(value), group }))),
  )
  return { pairs, isWhole }
}

function climb(
  above: ReadonlyMap<string, readonly Membership[]>,
  from: readonly string[],
  levels: number,
): readonly Entry[] {
  const groups = new Set<Entry>()
  let last = from
  for (let level = 0; level < levels && last.length > 0; level++) {
    const fresh = last.flatMap((key) => above.get(key) ?? []).filter(({ group }) => !groups.has(group))
    for (const { group } of fresh) groups.add(group)
    last = fresh.map(({ group }) => dnKey(group.dn))
  }
  return [...groups]
}

/** Of the groups that the entry names: the `cn` in front of each distinguished name below the base. */
function namesIn(user: Entry, { schema, base }: LdapOptions): readonly string[] {
  const below = `,${dnKey(base)}`
  const groups = valuesOf(user, schema.groups).filter((name) => dnKey(name).endsWith(below))
  const pairs = groups.flatMap((name): readonly string[] => JSON.parse(dnElements(name)[0] ?? '[]'))
  return pairs.filter((pair) => pair.startsWith(`${NAME}=`)).map((pair) => pair.slice(NAME.length + 1))
}

const namesOf = (groups: readonly Entry[]) => groups.flatMap((group) => valuesOf(group, NAME))

function rolesIn(names: readonly string[], { groupRoles }: LdapOptions): readonly Role[] {
  const roles = names.map((name) => groupRoles.get(valueKey(name))).filter((role) => role !== undefined)
  return [...new Set(roles)].sort()
}
