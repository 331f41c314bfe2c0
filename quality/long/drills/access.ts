import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DrillStage } from '../../../test/support/drills/stage.ts'
import { form, postJson } from '../../../test/support/lambda/events/requests.ts'
import { type Drill, putWebhookSecrets, repeat } from './drill.ts'

const login = (stage: DrillStage, fields: Record<string, string>, from?: string) =>
  stage.ask(form('/api/auth/login', fields), from)
const asAdmin = (stage: DrillStage) => login(stage, { username: 'jdbcadmin', password: 'jdbcadmin-demo' })

/** A secret of Plaid's form: client, its password, environment. */
const PLAID = 'drill:password@sandbox'

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A call that names a key which Plaid does not have. */
function unknownKeyCall() {
  const jws = `${base64url({ alg: 'ES256', typ: 'JWT', kid: 'never-made' })}.${base64url({ iat: 1 })}.${'A'.repeat(86)}`
  return postJson('/webhooks/plaid', { webhook_type: 'ITEM' }, ['plaid-verification', jws])
}

async function withKeyServer(stage: DrillStage, work: () => Promise<unknown>): Promise<void> {
  const server = createServer((_, response) => {
    response.writeHead(400).end('{"error_code":"INVALID_WEBHOOK_VERIFICATION_KEY_ID"}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await stage.redeploy(['webhookProvider'], {}, { DRILL_REDIRECT: `plaid.com http://127.0.0.1:${port}` })
  await work()
  server.close()
  server.closeAllConnections()
}

export const ACCESS: readonly Drill[] = [
  {
    alarm: 'failed-logins',
    fault: 'passwords are guessed from two networks',
    works: asAdmin,
    async breaks(stage) {
      const guess = (index: number) =>
        login(stage, { username: `somebody-${index}`, password: 'guessed' }, `127.0.${1 + (index % 2)}.1`)
      await Promise.all(Array.from({ length: 4 }, (_, worker) => repeat(30, (time) => guess(4 * time + worker))))
      return undefined
    },
    finds: [/"ip":"127.0.[12].1"/],
    shows: [/login\.\w+.*refused|refused/],
    async mends(stage) {
      stage.pass(6)
      await asAdmin(stage)
    },
  },
  {
    alarm: 'audit-failed',
    fault: 'CloudWatch Logs refuses a line of the trail',
    works: asAdmin,
    async breaks(stage) {
      stage.logs.set('denies')
      await asAdmin(stage)
      return undefined
    },
    finds: [/audit trail/],
    shows: [/AccessDenied/],
    async mends(stage) {
      stage.logs.set('none')
      stage.pass(6)
      await asAdmin(stage)
    },
  },
  {
    alarm: 'unknown-key',
    fault: 'calls name a key that Plaid does not have',
    async breaks(stage) {
      putWebhookSecrets(stage, { plaid: PLAID })
      await withKeyServer(stage, () => repeat(2, () => stage.ask(unknownKeyCall())))
      putWebhookSecrets(stage, {})
      return undefined
    },
    finds: [/unknown key repeated.*plaid/],
    shows: [/"source":"plaid".*"unknown-key"/],
    async mends(stage) {
      await stage.redeploy(['webhookProvider'])
      stage.pass(6)
    },
  },
  {
    alarm: 'secrets-unread',
    fault: 'the role may not read a secret any more',
    works: (stage) => stage.ask(stage.callers.webhook('payment')),
    async breaks(stage) {
      stage.secretsManager.fail([400, '{"__type":"AccessDeniedException","message":"not allowed"}'])
      stage.pass(6)
      await stage.ask(stage.callers.webhook('payment'))
      return undefined
    },
    finds: [/"secret":"gatehouse\/drills\/webhooks".*AccessDenied/],
    shows: [/AccessDenied/],
    async mends(stage) {
      stage.secretsManager.fail()
      stage.pass(6)
      await stage.ask(stage.callers.webhook('payment'))
    },
  },
]
