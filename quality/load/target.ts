import type { Ready } from '../../localstack/ready.ts'
import { freeOffset, type Stack, startStack, temporaryFolder } from '../../test/support/stack.ts'
import { kindsFor, rotationOf } from './calls.ts'
import { Load } from './load.ts'
import { missingFrom } from './missing.ts'
import { senderTo } from './sender.ts'

/** A service of its own, as `npm start` brings it up, and calls for it. */
export interface Target {
  readonly stack: Stack
  readonly load: Load
  /** An admin's. */
  readonly token: string
  /** How many events were acknowledged, and which of them are not stored as processed. */
  audit(): Promise<{ readonly acknowledged: number; readonly missing: number }>
  stop(): Promise<void>
}

export async function startTarget(environment: Readonly<Record<string, string>> = {}): Promise<Target> {
  const data = temporaryFolder()
  const stack = await startStack({
    PORT_OFFSET: String(await freeOffset()),
    DATA_DIR: data.path,
    WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '1000000',
    ...environment,
  })
  const { ready } = stack
  const token = await tokenOf(ready)
  const sender = senderTo(ready.http)
  const load = new Load(sender, rotationOf(kindsFor(ready, token, 'load')))
  return {
    stack,
    load,
    token,
    async audit() {
      const missing = await missingFrom(ready.dynamodb, load.acknowledged)
      return { acknowledged: load.acknowledged.length, missing: missing.length }
    },
    async stop() {
      sender.close()
      await stack.stop()
      data.remove()
    },
  }
}

async function tokenOf({ http, users }: Ready): Promise<string> {
  const { username = '', password = '' } = users.find((user) => user.username === 'admin') ?? {}
  const body = new URLSearchParams({ username, password })
  const response = await fetch(`${http}/api/auth/login`, { method: 'POST', body })
  const { token } = (await response.json()) as { token: string }
  return token
}
