import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { inProject } from '../../infra/project.ts'
import { ConfigError } from '../../lib/runtime/config.ts'
import { broken, object, oneWordOf, problemAt, someText } from '../../lib/webhooks/configured/schema.ts'
import { CLIENT_NAME, NAME_RULE } from '../lab/call.ts'
import { CLIENT } from './client.ts'

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

const ADDRESS = 'must be an http or https address without #'

const shape = object({
  client_id: z.string(NAME_RULE).check(z.regex(CLIENT_NAME, NAME_RULE)),
  client_secret: z.optional(someText),
  redirect_uris: z.optional(
    z.array(
      z.string(ADDRESS).check(z.refine((text) => /^https?:\/\/[^#]+$/.test(text) && URL.canParse(text), ADDRESS)),
      'must be a list',
    ),
  ),
  grant_types: z._default(
    z.array(oneWordOf('authorization_code', 'refresh_token', 'client_credentials', DEVICE_GRANT), 'must be a list'),
    ['authorization_code'],
  ),
  token_endpoint_auth_method: z._default(
    oneWordOf('client_secret_basic', 'client_secret_post', 'none'),
    'client_secret_basic',
  ),
  id_token_signed_response_alg: z._default(oneWordOf('RS256', 'ES256'), 'RS256'),
})

/** A client of the open provider (RFC 7591 section 2). */
export type OpenClient = ReturnType<typeof complete>

/** A client that no file has. */
export const publicClient = (client_id: string) => ({
  client_id,
  redirect_uris: ['http://127.0.0.1/callback'],
  grant_types: ['authorization_code', 'refresh_token', DEVICE_GRANT],
  token_endpoint_auth_method: 'none' as const,
})

function complete({ redirect_uris = [], ...client }: z.infer<typeof shape>) {
  const isForUsers = client.grant_types.includes('authorization_code')
  return { ...client, redirect_uris, response_types: isForUsers ? ['code' as const] : [] }
}

/**
 * The clients of the user, of a file that may lie in the project's folder; undefined without one, when the provider takes
 * every name as a {@link publicClient}.
 * @param given as on the command line; without it, the project's own file, if it has one
 * @throws ConfigError naming all that is wrong with it
 */
export function openClients(given?: string): readonly OpenClient[] | undefined {
  const file = given === undefined ? inProject('clients.json') : resolve(inProject('.'), given)
  if (given === undefined && !existsSync(file)) return undefined
  const wrong = (problems: readonly string[]) => new ConfigError(problems, `Wrong clients, ${given ?? 'clients.json'}`)
  let list: unknown
  try {
    list = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    // Not its message, which quotes the file.
    throw wrong([error instanceof SyntaxError ? 'is no JSON' : 'cannot be read'])
  }
  if (!Array.isArray(list)) throw wrong(['must be a list of clients'])
  const read = list.map((one) => z.safeParse(shape, one))
  const ids = read.map(({ data }) => data?.client_id)
  const problems = read.flatMap(({ data, error }, index) => {
    const issues = data ? rulesOf(data, ids.indexOf(data.client_id) < index) : error.issues
    return issues.map((issue) => problemAt([String(index)], issue))
  })
  if (problems.length > 0) throw wrong(problems)
  return read.flatMap(({ data }) => (data ? complete(data) : []))
}

function rulesOf(client: z.infer<typeof shape>, isTwin: boolean) {
  const { client_id: id, client_secret: secret, redirect_uris: uris = [], grant_types: grants } = client
  const isPublic = client.token_endpoint_auth_method === 'none'
  return broken([
    ['client_id', `${id} is there twice`, isTwin],
    ['client_id', `${id} is the client of Gatehouse itself`, id === CLIENT.id],
    ['client_secret', 'must be there, or token_endpoint_auth_method be none', secret === undefined && !isPublic],
    ['client_secret', 'must not be there with token_endpoint_auth_method none', secret !== undefined && isPublic],
    [
      'redirect_uris',
      'must be there for authorization_code',
      uris.length === 0 && grants.includes('authorization_code'),
    ],
    [
      'grant_types',
      'cannot have client_credentials without a secret',
      isPublic && grants.includes('client_credentials'),
    ],
  ])
}
