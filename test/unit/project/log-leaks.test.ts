import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newCsrfToken } from '../../../lib/auth/csrf-token.ts'
import { hashPassword } from '../../../lib/auth/password.ts'
import { createSessions } from '../../../lib/auth/session.ts'
import { consoleLog } from '../../../lib/runtime/log.ts'
import { keptSecrets } from '../../../localstack/secrets.ts'
import { fixedClock } from '../../support/fakes/clock.ts'
import { signToken } from '../../support/fakes/jwt.ts'
import { newApiKey } from '../../support/fakes/keys.ts'
import { FORM_USER, MemorySessions } from '../../support/fakes/sessions.ts'
import { FIRST_SECRETS } from '../../support/first-secrets.ts'
import { leaksIn, logOf, secretsOf } from '../../support/log-leaks.ts'
import { temporaryFolder } from '../../support/stack.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

const ready = {
  data: folder.path,
  users: [{ username: 'ada', password: 'pässwörd "密码"', role: null, store: 'ldap' }],
  webhookSecrets: { stripe: 'whsec_of_a_sender' },
}
const given = { OAUTH2_GITHUB_CLIENT_SECRET: 'secret-of-a-client', LDAP_BIND_PASSWORD: 'secret-of-the-directory' }

let kept: ReturnType<typeof keptSecrets>
beforeAll(() => {
  writeFileSync(join(folder.path, 'secrets.json'), FIRST_SECRETS)
  kept = keptSecrets(join(folder.path, 'secrets.json'))
})

async function sessionId(): Promise<string> {
  const parts = { store: new MemorySessions(), clock: fixedClock(), idleSeconds: 60, maximumSeconds: 60 }
  const { id } = await createSessions({
    ...parts,
    accounts: { find: async () => undefined, end: async () => {} },
  }).start(FORM_USER)
  return id
}

/** Writes the log of a run, in which something is planted. */
function logWith(planted: string): string {
  const lines: string[] = []
  const log = consoleLog(fixedClock().now, (line) => lines.push(line))
  log.info('audit', { decision: 'processed', source: 'stripe', eventId: 'evt_1', requestId: crypto.randomUUID() })
  log.error('webhook handler failed', { cause: new Error(`no row for ${planted}`) })
  log.info('request refused', { code: 'BAD_CREDENTIALS', path: '/api/auth/login' })
  writeFileSync(join(folder.path, 'gatehouse.log'), lines.join('\n'))
  return logOf(ready)
}

describe('the log of each run of the service is searched for secrets', () => {
  it('a clean one contains none', () => {
    expect(leaksIn(logWith('evt_1'), secretsOf(ready, given))).toEqual([])
  })

  it.each<[string, () => string | undefined | Promise<string>]>([
    ['the password of a user', () => ready.users[0]?.password],
    ['the secret of a webhook’s sender', () => ready.webhookSecrets.stripe],
    ['the secret of a client', () => given.OAUTH2_GITHUB_CLIENT_SECRET],
    ['the password of the directory’s account', () => given.LDAP_BIND_PASSWORD],
    ['the demo password of the directory', () => 'gatehouse-demo'],
    ['the key that signs tokens', () => kept.JWT_KEYS.split(':')[1]],
    ['a token', () => signToken({ sub: 'ada' })],
    ['an API key', () => newApiKey().text],
    ['a session id', sessionId],
    ['a CSRF token', () => newCsrfToken('')],
    ['the hash of a password', () => hashPassword('a password')],
  ])('the line with %s is reported', async (_, secret) => {
    const planted = (await secret()) ?? ''
    expect(planted.length).toBeGreaterThan(8)
    const leaks = leaksIn(logWith(planted), secretsOf(ready, given))
    expect(leaks).not.toEqual([])
    for (const leak of leaks) {
      expect(leak).toMatch(/^line 2 /)
      expect(leak).not.toContain(planted)
    }
  })
})
