import { directoryAccounts } from '../auth/accounts.ts'
import { loadConfig } from '../platform/config.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { basicCheckOf } from './basic.ts'
import { openDirectory } from './directory.ts'
import { edgeOf } from './edge.ts'

const directory = await openDirectory()

/** For HTTP Basic against the directory. */
export const app = {
  ...edgeOf(loadConfig(edgeSettings)),
  checks: { basic: basicCheckOf(directoryAccounts(directory)) },
  directory,
}
