import { directoryAccounts } from '../auth/accounts.ts'
import { basicCheckOf, signInParts } from './basic.ts'
import { openDirectory } from './directory.ts'
import { makePublic } from './edge.ts'

/** For HTTP Basic against the directory. @throws ConfigError; ServiceError `UNAVAILABLE` */
export async function makeDirectory() {
  const context = makePublic()
  const directory = await openDirectory()
  const basic = basicCheckOf(signInParts(directoryAccounts(directory)))
  return { ...context, checks: { basic }, directory }
}
