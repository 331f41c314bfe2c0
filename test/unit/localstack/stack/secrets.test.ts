import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it } from 'vitest'
import { secret } from '../../../../lib/config.ts'
import type { Destination } from '../../../../lib/deliver/destination.ts'
import { providerOf } from '../../../../lib/webhooks/providers/index.ts'
import { KNOWN } from '../../../../lib/webhooks/sources/catalog.ts'
import { SENDERS } from '../../../../localstack/senders/table.ts'
import { keptSecrets } from '../../../../localstack/stack/secrets.ts'
import { destinationsIn, EACH_KIND } from '../../../support/destinations.ts'
import { temporaryFolder } from '../../../support/stack.ts'

let folder = temporaryFolder()

afterEach(() => {
  folder.remove()
  folder = temporaryFolder()
})

const first = temporaryFolder()
afterAll(() => first.remove())
const firstFile = join(first.path, 'secrets.json')
const firstSecrets = keptSecrets(firstFile)

/** As if senders with an RSA key had a text: such a key takes a tenth of a second. */
const WITHOUT_RSA = {
  configured: KNOWN.configured,
  providerOf: (name: string) => providerOf(['google-pubsub', 'paypal', 'sns'].includes(name) ? 'stripe' : name),
}

const kept = (destinations?: readonly Destination[]) => keptSecrets(file(), WITHOUT_RSA, destinations)

const file = () => join(folder.path, 'secrets.json')
const read = () => JSON.parse(readFileSync(file(), 'utf8'))

it('a first start creates a key, and a secret for every sender in the form of its provider', () => {
  const { JWT_KEYS, WEBHOOK_SECRETS } = firstSecrets
  expect(JWT_KEYS).toMatch(/^local:[\w-]{86}$/)
  for (const name of Object.keys(SENDERS)) {
    const secret = JSON.parse(WEBHOOK_SECRETS)[name]
    expect(providerOf(name).scheme.methods.some(({ readKey }) => readKey(secret) !== undefined)).toBe(true)
  }
})

it('only the owner can read the file, and private keys are stored only there', () => {
  expect(statSync(firstFile).mode & 0o777).toBe(0o600)
  expect(Object.keys(JSON.parse(readFileSync(firstFile, 'utf8')).SIGNING_KEYS).sort()).toEqual([
    'discord',
    'google-pubsub',
    'paypal',
    'plaid',
    'sendgrid',
    'sns',
  ])
  expect(JSON.stringify(firstSecrets)).not.toContain('PRIVATE KEY')
})

it('destinations have a signing secret each, and those of their headers, which stay the same', () => {
  const crm = { ...EACH_KIND['crm-eu'], headers: { 'x-api-key': secret('crm-key') } }
  const first = kept(destinationsIn({ crm }))
  const made = JSON.parse(first.DELIVERY_SECRETS)
  expect(Object.keys(made)).toEqual(['crm', 'crm-key'])
  expect(made.crm).toMatch(/^whsec_[\w+/]{32}$/)
  const more = kept(destinationsIn({ crm, erp: EACH_KIND['crm-eu'] }))
  expect(JSON.parse(more.DELIVERY_SECRETS)).toMatchObject({ ...made, erp: expect.stringMatching(/^whsec_/) })
})

it('a folder of an earlier version gets the missing ones, and keeps the others', () => {
  writeFileSync(file(), JSON.stringify({ JWT_KEYS: 'local:kept', WEBHOOK_SECRETS: { stripe: 'kept' } }))
  const { JWT_KEYS, WEBHOOK_SECRETS } = kept()
  expect(JWT_KEYS).toBe('local:kept')
  expect(JSON.parse(WEBHOOK_SECRETS)).toMatchObject({ stripe: 'kept', slack: expect.stringMatching(/^whsec_/) })
  expect(read().SIGNING_KEYS).toHaveProperty('discord')
})

it('a file that cannot be written is named, and its content is unchanged', () => {
  writeFileSync(file(), JSON.stringify({ JWT_KEYS: 'local:kept', WEBHOOK_SECRETS: { stripe: 'kept' } }))
  mkdirSync(`${file()}.new`)
  expect(() => kept()).toThrow(`${file()} cannot be written: `)
  expect(read()).toEqual({ JWT_KEYS: 'local:kept', WEBHOOK_SECRETS: { stripe: 'kept' } })
})

it('a complete file is not written again', () => {
  const secrets = kept()
  mkdirSync(`${file()}.new`)
  expect(kept()).toEqual(secrets)
})

it('without a file they are new each time', () => {
  expect(keptSecrets(undefined, WITHOUT_RSA).JWT_KEYS).not.toBe(keptSecrets(undefined, WITHOUT_RSA).JWT_KEYS)
})

it('a list of secrets, the new one and the old one, is kept', () => {
  const slack = ['new', { value: 'old', label: 'until May' }]
  writeFileSync(file(), JSON.stringify({ JWT_KEYS: 'local:kept', WEBHOOK_SECRETS: { slack } }))
  expect(JSON.parse(kept().WEBHOOK_SECRETS).slack).toEqual(slack)
  expect(read().WEBHOOK_SECRETS.slack).toEqual(slack)
})

it.each([
  ['is no JSON', '{"JWT_KEYS":"local:hidden'],
  ['is wrong at its top', '[]'],
  ['is wrong at JWT_KEYS', '{"JWT_KEYS":1,"WEBHOOK_SECRETS":{}}'],
  [
    'is wrong at SIGNING_KEYS.discord',
    '{"JWT_KEYS":"local:hidden","WEBHOOK_SECRETS":{},"SIGNING_KEYS":{"discord":[]}}',
  ],
])('a file that %s is named, without its content', (why, content) => {
  writeFileSync(file(), content)
  expect(() => kept()).toThrow(`${file()} ${why}`)
  expect(() => kept()).not.toThrow('hidden')
  expect(readFileSync(file(), 'utf8')).toBe(content)
})
