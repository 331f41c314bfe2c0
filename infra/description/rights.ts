import { grantsOf } from '../iam/grants.ts'
import { DEPLOY_RIGHTS } from './deploy-rights.ts'
import { code, table, withParts } from './markdown.ts'

/** As a deployed stage has them, unless a setting says otherwise. */
const GRANTS = grantsOf([], false)

const ACCOUNTS = ['UsersTable', 'SessionsTable'] as const

const READS = /^(?:BatchGetItem|ConditionCheckItem|GetItem|Query)\b/

const WORDS: Readonly<Record<string, string>> = {
  PutItem: 'make a row',
  DeleteItem: 'delete a row',
  UpdateItem: 'change a row in any way',
}

/** What functions may write of accounts and sessions, by table and right, with the functions. */
function accountWrites(): ReadonlyMap<string, readonly string[]> {
  const pairs = Object.entries(GRANTS).flatMap(([name, grants]) =>
    ACCOUNTS.flatMap((resource) =>
      grants
        .flatMap((grant) => grant[resource] ?? [])
        .filter((action) => !READS.test(action))
        .map((action) => [`${resource} ${action}`, name] as const),
    ),
  )
  const byRight = Map.groupBy(pairs, ([right]) => right)
  return new Map([...byRight].sort().map(([right, found]) => [right, [...new Set(found.map(([, name]) => name))]]))
}

/** Functions that may read the key that signs tokens. */
export function keyReaders(): readonly string[] {
  const readers = Object.entries(GRANTS).filter(([, grants]) => grants.some((grant) => 'secret/tokens' in grant))
  return readers.map(([name]) => name)
}

/** docs/deploy.md, with the tables of these rights. */
export function deployPage(): string {
  const list = (names: readonly string[]) => names.map(code).join(', ')
  return withParts('docs/deploy.md', {
    deploy_rights: () => table(['service', 'actions', 'on', 'for'], deployRows(list)),
    account_writes: () => table(['of', 'may', 'who'], writeRows(list)),
    key_readers: () => list(keyReaders()),
  })
}

/** One row for the same actions for the same. */
function deployRows(list: (names: readonly string[]) => string): readonly (readonly string[])[] {
  const alike = Map.groupBy(DEPLOY_RIGHTS, ({ service, actions, makes }) => [service, ...actions, ...makes].join())
  return [...alike.values()].map((found) => {
    const [{ service = '', actions = [], makes = [] } = {}] = found
    const types = makes.map((type) => type.replace('AWS::', ''))
    return [
      code(service),
      list(actions),
      list(found.map(({ on }) => on)),
      types.includes('*') ? 'every stage' : list(types),
    ]
  })
}

/** One row for the rights of the same functions. */
function writeRows(list: (names: readonly string[]) => string): readonly (readonly string[])[] {
  const alike = Map.groupBy([...accountWrites()], ([right, names]) =>
    [right.replace(/^(\w+ \w+):.*/, '$1:'), ...names].join(),
  )
  return [...alike.values()].map((found) => {
    const [[right = '', names = []] = []] = found
    const [resource, action = ''] = right.split(' ')
    const attributes = found.flatMap(([each]) => each.split(':').slice(1))
    const verb = action.startsWith('PutItem') ? 'make a row of nothing but' : 'change'
    return [
      resource === 'UsersTable' ? 'an account' : 'a session',
      attributes.length === 0 ? (WORDS[action] ?? action) : `${verb} ${list(attributes)}`,
      list(names),
    ]
  })
}
