import { directoryAccounts } from '../auth/accounts.ts'
import type { Environment } from '../runtime/config.ts'
import { basicCheckOf, signInParts } from './basic.ts'
import { openDirectory } from './directory.ts'
import { makePublic } from './edge.ts'

/** For HTTP Basic against the directory. @throws ConfigError; ServiceError `UNAVAILABLE` */
export async function makeDirectory(environment?: Environment) {
  const context = makePublic(environment)
  const directory = await openDirectory(environment)
  const basic = basicCheckOf(signInParts(directoryAccounts(directory), environment))
  return { ...context, checks: { basic }, directory }
}
