import { randomUUID } from 'node:crypto'
import type { SQSEvent } from 'aws-lambda'
import { createTokens } from '../../../lib/auth/token.ts'
import { loadConfig } from '../../../lib/runtime/config.ts'
import { tokenSettings } from '../../../lib/runtime/settings/token.ts'
import { systemClock } from '../../../lib/runtime/time.ts'
import type { Role } from '../../../lib/users/role.ts'
import type { Sample, SampleMessage } from '../../../lib/webhooks/sample.ts'
import { newMessage } from '../../../localstack/senders/message.ts'
import { prove } from '../../../localstack/senders/prove.ts'
import { SENDERS } from '../../../localstack/senders/table.ts'
import type { InvocationResult } from '../../../localstack/stack/event-sources.ts'
import type { Answer } from '../client.ts'
import type { Deployment } from './deployment.ts'
import { form, postJson } from './events/requests.ts'
import { answerOf, DOMAIN, type HttpRequest, httpApiEvent } from './http-api.ts'

type Field = readonly [name: string, value: string]

/** What a logged-in browser sends along. */
export interface Session {
  readonly cookies: string
  readonly csrfToken: string
}

/** Everybody who calls the functions of a deployment, and what they have to do before. */
export interface Callers {
  /** Has a function answer a request. */
  call(name: string, request: HttpRequest): Promise<Answer>
  /** The header with a token of its own, of a demo user with the role. */
  bearer(role: Role): Promise<Field>
  /** A session of the form login: a new one for each call. */
  login(): Promise<Session>
  /** The address that GitHub sends a browser back to, and the cookies that it brings. */
  comeBackFromGithub(): Promise<{ readonly target: string; readonly cookies: string }>
  /** A webhook, signed by its provider; `change` alters it before that. */
  webhook(name: keyof typeof SENDERS, change?: (message: SampleMessage) => Partial<SampleMessage>): HttpRequest
  /** The id of an event whose processing failed. */
  failedEvent(): Promise<string>
  /** The id of a replay of nothing. */
  newReplay(): Promise<string>
  /** The next message of a queue. */
  receive(queue: string): Promise<SQSEvent>
}

/** Functions to call, whoever runs them. */
interface Callable {
  get(name: string): Promise<{ invoke(event: object): Promise<InvocationResult> }>
}

export function callersOf(deployment: Pick<Deployment, 'secrets' | 'github' | 'receive'>, running: Callable): Callers {
  const { secrets } = deployment
  const webhookSecrets: Readonly<Record<string, string>> = JSON.parse(secrets['WEBHOOK_SECRETS'] ?? '')
  const { JWT_KEYS: keys } = loadConfig({ JWT_KEYS: tokenSettings.JWT_KEYS }, [], secrets)
  const tokens = createTokens({ keys: { current: keys }, lifetimeSeconds: 3600, clock: systemClock })

  async function call(name: string, request: HttpRequest): Promise<Answer> {
    const { isError, payload } = await (await running.get(name)).invoke(httpApiEvent(request))
    if (isError) throw new Error(payload)
    return answerOf(payload)
  }

  function webhook(
    name: keyof typeof SENDERS,
    change: (message: SampleMessage) => Partial<SampleMessage> = () => ({}),
  ) {
    const sender: Sample = SENDERS[name]
    const path = `/webhooks/${name}`
    const [event] = sender.events
    const drawn = newMessage(sender, event, { id: randomUUID(), at: new Date() })
    const credentials = { secret: webhookSecrets[name] ?? '' }
    const signing = { name, sender, credentials, url: `https://${DOMAIN}${path}`, signedAt: new Date() }
    const { method, headers, body } = prove({ ...drawn, ...change(drawn) }, signing)
    return { method, target: path, headers: Object.entries(headers), body }
  }

  async function bearer(role: Role): Promise<Field> {
    return [
      'authorization',
      `Bearer ${await (await tokens).issue(role === 'ROLE_ADMIN' ? 'jdbcadmin' : 'jdbcuser', role)}`,
    ]
  }

  return {
    call,
    webhook,
    bearer,
    async login() {
      const fields = { username: 'jdbcadmin', password: 'jdbcadmin-demo' }
      const cookies = cookiesOf(await call('loginForm', form('/login', fields)))
      const [, csrfToken = ''] = /XSRF-TOKEN=([^;]+)/.exec(cookies) ?? []
      return { cookies, csrfToken }
    },
    async comeBackFromGithub() {
      const answer = await call('oauth2Start', { target: '/oauth2/authorization/github?returnTo=/console/token' })
      const { pathname, search } = new URL(String(answer.headers['location']))
      const body = new URLSearchParams({ user: 'github:5001' })
      const response = await fetch(`${deployment.github}${pathname}${search}`, {
        method: 'POST',
        body,
        redirect: 'manual',
      })
      const back = new URL(response.headers.get('location') ?? '')
      return { target: `${back.pathname}${back.search}`, cookies: cookiesOf(answer) }
    },
    async failedEvent() {
      const eventId = `pay-${randomUUID()}`
      const transactionId = `tx-${randomUUID()}`
      await call('webhookPayment', webhook('payment', withFields({ transactionId })))
      await call('webhookPayment', webhook('payment', withFields({ transactionId, eventId })))
      return eventId
    },
    async newReplay() {
      const replayId = `replay-${randomUUID()}`
      const body = { replayId, filter: { q: replayId } }
      await call('replaysCreate', postJson('/api/webhooks/replays', body, await bearer('ROLE_ADMIN')))
      return replayId
    },
    receive: deployment.receive,
  }
}

/** Changes fields of a JSON body. */
export function withFields(fields: object): (message: SampleMessage) => Partial<SampleMessage> {
  return ({ body }) => ({ body: Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), ...fields })) })
}

/** What a browser would send back of the cookies that an answer sets. */
function cookiesOf({ headers }: Answer): string {
  const lines = [headers['set-cookie'] ?? []].flat()
  return lines.map((line) => line.split(';', 1)[0]).join('; ')
}
