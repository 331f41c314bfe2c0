import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execPath } from 'node:process'
import { freePort } from '../../../test/support/free-port.ts'
import { LAMBDA_ENVIRONMENT } from '../../../test/support/lambda-environment.ts'
import { freeOffset } from '../../../test/support/stack.ts'
import type { Command } from './service.ts'

const HELLO = '/api/public/hello'

/** `npm start`, as on a machine where it has run before. */
export async function npmStart(dataFolder: string): Promise<Command> {
  const offset = await freeOffset()
  const { JWT_KEYS } = LAMBDA_ENVIRONMENT
  return {
    line: ['npm', 'start', '--silent', '--', '--json'],
    folder: resolve('.'),
    environment: { PORT_OFFSET: `${offset}`, DATA_DIR: dataFolder, JWT_KEYS },
    url: `http://127.0.0.1:${3000 + offset}${HELLO}`,
    tellsReady: true,
  }
}

/** serverless-offline as its users run it, with the same two functions and nothing else. */
export async function serverlessOffline(parent: string): Promise<Command> {
  const folder = join(parent, 'serverless-offline')
  mkdirSync(folder)
  for (const name of ['public-hello', 'admin-secure'])
    cpSync(`dist/api/${name}`, join(folder, name), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'serverless.yml'), SERVERLESS_YML)
  const ports = { httpPort: await freePort(), lambdaPort: await freePort(), websocketPort: await freePort() }
  const options = Object.entries(ports).flatMap(([name, port]) => [`--${name}`, `${port}`])
  return {
    line: [execPath, 'node_modules/serverless/bin/serverless.js', 'offline', ...options],
    folder,
    environment: { SLS_LOG_LEVEL: 'error' },
    url: `http://127.0.0.1:${ports.httpPort}${HELLO}`,
  }
}

const SERVERLESS_YML = `service: plain
provider: { name: aws, runtime: nodejs24.x, environment: ${JSON.stringify(LAMBDA_ENVIRONMENT)} }
plugins: [serverless-offline]
functions:
  publicHello: { handler: public-hello/index.handler, events: [httpApi: GET ${HELLO}] }
  adminSecure: { handler: admin-secure/index.handler, events: [httpApi: GET /api/admin/secure] }
`

/** What no gateway can do without: an answer of Node's own server. */
export async function bareServer(): Promise<Command> {
  const port = await freePort()
  return {
    line: [execPath, `${import.meta.dirname}/bare-server.ts`, `${port}`],
    folder: resolve('.'),
    environment: {},
    url: `http://127.0.0.1:${port}${HELLO}`,
  }
}
