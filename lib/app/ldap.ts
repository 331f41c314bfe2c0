import { loadConfig } from '../platform/config.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { openDirectory } from './directory.ts'
import { edgeOf } from './edge.ts'
import { basicCheck } from './passwords.ts'

/** For HTTP Basic against the directory. */
export const app = {
  ...edgeOf(loadConfig(edgeSettings)),
  checks: { basic: basicCheck('directory') },
  directory: await openDirectory(),
}
