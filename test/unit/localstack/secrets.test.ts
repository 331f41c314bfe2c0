import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { secret } from '../../../lib/config.ts'
import { providerOf } from '../../../lib/webhooks/providers/index.ts'
import { keptSecrets } from '../../../localstack/secrets.ts'
import { SENDERS } from '../../../localstack/senders/table.ts'
import { destinationsIn, EACH_KIND } from '../../support/destinations.ts'
import { temporaryFolder } from '../../support/stack.ts'

let folder = temporaryFolder()

afterEach(() => {
  folder.remove()
  folder = temporaryFolder()
})

const file = () => join(folder.path, 'secrets.json')
const read = () => JSON.parse(readFileSync(file(), 'utf8'))

it('a first start makes a key, and a secret for every sender in the form of its provider', () => {
  const { JWT_KEYS, WEBHOOK_SECRETS } = keptSecrets(file())
  expect(JWT_KEYS).toMatch(/^local:[\w-]{86}$/)
  for (const name of Object.keys(SENDERS)) {
    const secret = JSON.parse(WEBHOOK_SECRETS)[name]
    expect(providerOf(name).scheme.methods.some(({ readKey }) => readKey(secret) !== undefined)).toBe(true)
  }
})

it('nobody else may read the file, and private keys go nowhere but there', () => {
  const secrets = keptSecrets(file())
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  expect(Object.keys(read().SIGNING_KEYS).sort()).toEqual([
    'discord',
    'google-pubsub',
    'paypal',
    'plaid',
    'sendgrid',
    'sns',
  ])
  expect(JSON.stringify(secrets)).not.toContain('PRIVATE KEY')
})

it('destinations have a signing secret each, and what their headers name, which stay', () => {
  const crm = { ...EACH_KIND['crm-eu'], headers: { 'x-api-key': secret('crm-key') } }
  const first = keptSecrets(file(), undefined, destinationsIn({ crm }))
  const made = JSON.parse(first.DELIVERY_SECRETS)
  expect(Object.keys(made)).toEqual(['crm', 'crm-key'])
  expect(made.crm).toMatch(/^whsec_[\w+/]{32}$/)
  const more = keptSecrets(file(), undefined, destinationsIn({ crm, erp: EACH_KIND['crm-eu'] }))
  expect(JSON.parse(more.DELIVERY_SECRETS)).toMatchObject({ ...made, erp: expect.stringMatching(/^whsec_/) })
})

it('later starts have the same', () => {
  expect(keptSecrets(file())).toEqual(keptSecrets(file()))
})

it('a folder of an earlier version gets what it lacks, and keeps what it has', () => {
  writeFileSync(file(), JSON.stringify({ JWT_KEYS: 'local:kept', WEBHOOK_SECRETS: { stripe: 'kept' } }))
  const { JWT_KEYS, WEBHOOK_SECRETS } = keptSecrets(file())
  expect(JWT_KEYS).toBe('local:kept')
  expect(JSON.parse(WEBHOOK_SECRETS)).toMatchObject({ stripe: 'kept', slack: expect.stringMatching(/^whsec_/) })
  expect(read().SIGNING_KEYS).toHaveProperty('discord')
})

it('what cannot be written is named, and what was there stays', () => {
  writeFileSync(file(), JSON.stringify({ JWT_KEYS: 'local:kept', WEBHOOK_SECRETS: { stripe: 'kept' } }))
  mkdirSync(`${file()}.new`)
  expect(() => keptSecrets(file())).toThrow(`${file()} cannot be written: `)
  expect(read()).toEqual({ JWT_KEYS: 'local:kept', WEBHOOK_SECRETS: { stripe: 'kept' } })
})

it('a file that lacks nothing is not written again', () => {
  const secrets = keptSecrets(file())
  mkdirSync(`${file()}.new`)
  expect(keptSecrets(file())).toEqual(secrets)
})

it('without a file they are new each time', () => {
  expect(keptSecrets(undefined).JWT_KEYS).not.toBe(keptSecrets(undefined).JWT_KEYS)
})

it('a damaged file is named', () => {
  writeFileSync(file(), '{')
  expect(() => keptSecrets(file())).toThrow(`${file()} is damaged`)
})
