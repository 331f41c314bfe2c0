import { existsSync, readFileSync } from 'node:fs'
import { env } from 'node:process'
import * as z from 'zod/mini'
import { inProject } from '../infra/project.ts'
import { newUser, userRole } from '../lib/contract/requests/users.ts'
import { ConfigError } from '../lib/runtime/config.ts'
import { userKey } from '../lib/users/user.ts'
import { broken, object, oneWordOf, problemAt, someText } from '../lib/webhooks/configured/schema.ts'
import demo from './demo-users.json' with { type: 'json' }

/** Those whose users have passwords. */
const KEPT = ['jdbc', 'ldap'] as const
const PROVIDERS = ['google', 'github', 'facebook'] as const

const GROUP = 'must be letters, digits, blanks and . _ -'

const shape = object({
  username: newUser.shape.username,
  password: z.optional(someText),
  role: z.nullable(userRole),
  store: oneWordOf(...KEPT, ...PROVIDERS),
  enabled: z.optional(z.boolean('must be true or false')),
  email: z.optional(
    z.string('must be an address').check(z.regex(/^[^\s@]{1,64}@[^\s@]{1,189}$/, 'must be an address')),
  ),
  name: z.optional(someText),
  groups: z.optional(
    z.array(z.string(GROUP).check(z.regex(/^[\w.-](?:[\w. -]{0,62}[\w.-])?$/, GROUP)), 'must be a list'),
  ),
})

/** A row of `users.json`. */
export type LocalUser = z.infer<typeof shape>

/** What the project has in place of the demo users. */
const FILE = 'users.json'

/** The variable of the processes of a run that names another file. */
export const USERS_FILE = 'USERS_FILE'

let own: readonly LocalUser[] | undefined

/** The users of the project's own file; undefined without one. @throws ConfigError naming all that is wrong with it */
export function ownUsers(): readonly LocalUser[] | undefined {
  const given = env[USERS_FILE]
  const file = given ?? inProject(FILE)
  if (own === undefined && (given !== undefined || existsSync(file))) own = usersIn(textOf(file))
  return own
}

/** A user with a password. */
export type PasswordUser = LocalUser & { readonly password: string; readonly store: (typeof KEPT)[number] }

/** The users of the database and of the directory. @throws as {@link ownUsers} */
export function passwordUsers(): readonly PasswordUser[] {
  const users = ownUsers() ?? (demo as readonly LocalUser[])
  return users.filter((user): user is PasswordUser => hasPassword(user))
}

function hasPassword({ store }: Pick<LocalUser, 'store'>): boolean {
  return KEPT.some((name) => name === store)
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw wrong(['cannot be read'])
  }
}

function usersIn(text: string): readonly LocalUser[] {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    // Not its message, which quotes the file.
    throw wrong(['is no JSON'])
  }
  if (!Array.isArray(given)) throw wrong(['must be a list of users'])
  const read = given.map((one) => z.safeParse(shape, one))
  const keys = read.map(({ data }) => data && `${data.store} ${userKey(data.username)}`)
  const problems = read.flatMap(({ data, error }, index) => {
    const issues = data ? rulesOf(data, keys.indexOf(keys[index]) < index) : error.issues
    return issues.map((issue) => problemAt([String(index)], issue))
  })
  if (problems.length > 0) throw wrong(problems)
  return read.flatMap(({ data }) => data ?? [])
}

function rulesOf({ username, password, role, store, enabled, groups }: LocalUser, isTwin: boolean) {
  return broken([
    ['username', `${username} is there twice in ${store}`, isTwin],
    ['password', `must be there for a user of ${store}`, password === undefined && hasPassword({ store })],
    ['role', `must be ROLE_ADMIN or ROLE_USER for a user of ${store}`, role === null && store !== 'ldap'],
    ['enabled', 'can be false for a user of jdbc alone', enabled === false && store !== 'jdbc'],
    ['groups', 'are of ldap alone', groups !== undefined && store !== 'ldap'],
  ])
}

function wrong(problems: readonly string[]): ConfigError {
  return new ConfigError(problems, `Wrong users, ${env[USERS_FILE] ?? FILE}`)
}
