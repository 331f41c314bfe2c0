import { directoryAccounts } from '../auth/accounts.ts'
import type { Environment } from '../platform/config.ts'
import { basicCheckOf, signInParts } from './basic.ts'
import { openDirectory } from './directory.ts'
import { makePublic } from './edge.ts'

/** For HTTP Basic against the directory. @throws ConfigError; ServiceError `UNAVAILABLE` */
export async function makeDirectory(environment?: Environment) {
  const edge = makePublic(environment)
  const directory = await openDirectory(environment)
  const basic = basicCheckOf(signInParts(directoryAccounts(directory), environment))
  return { ...edge, checks: { basic }, directory }
}
