import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keptSecrets } from '../../localstack/stack/secrets.ts'
import { temporaryFolder } from './stack.ts'

function firstSecrets(): string {
  const folder = temporaryFolder()
  const file = join(folder.path, 'secrets.json')
  keptSecrets(file)
  const text = readFileSync(file, 'utf8')
  folder.remove()
  return text
}

/** What a first start writes to `secrets.json`. An RSA key takes a tenth of a second, and there are three in it. */
export const FIRST_SECRETS = firstSecrets()
