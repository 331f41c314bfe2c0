import { resolve } from 'node:path'
import { LAMBDA_ENVIRONMENT } from '../../../test/support/lambda-environment.ts'
import { freeOffset } from '../../../test/support/stack.ts'
import type { Command } from './service.ts'

/** `npm start`, as on a machine where it has run before. */
export async function npmStart(dataFolder: string): Promise<Command> {
  const offset = await freeOffset()
  const { JWT_KEYS } = LAMBDA_ENVIRONMENT
  return {
    line: ['npm', 'start', '--silent', '--', '--json'],
    folder: resolve('.'),
    environment: { PORT_OFFSET: `${offset}`, DATA_DIR: dataFolder, JWT_KEYS },
    url: `http://127.0.0.1:${3000 + offset}/api/public/hello`,
  }
}
