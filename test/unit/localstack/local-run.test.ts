import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { localRun } from '../../../localstack/local-run.ts'
import { keptSecrets } from '../../../localstack/stack/secrets.ts'
import { FIRST_SECRETS } from '../../support/first-secrets.ts'
import { temporaryFolder } from '../../support/stack.ts'

const folder = temporaryFolder()
const empty = temporaryFolder()
afterAll(() => {
  folder.remove()
  empty.remove()
})

writeFileSync(join(folder.path, 'secrets.json'), FIRST_SECRETS)
const KEPT = keptSecrets(join(folder.path, 'secrets.json'))
const there = { DATA_DIR: folder.path }
const OTHER = `other:${'A'.repeat(86)}`

describe('the facts that a command knows about the local run', () => {
  it('include its address', () => {
    expect(localRun({ ...there, PORT_OFFSET: '7' }).address.href).toBe('http://127.0.0.1:3007/')
    expect(localRun({ ...there, BASE_URL: 'https://api.example' }).address.href).toBe('https://api.example/')
  })

  it('include the secrets of its data folder, with the keys of providers that sign with a private one', () => {
    const run = localRun(there)
    expect(run.webhookSecrets().get('slack')).toMatchObject([{ value: JSON.parse(KEPT.WEBHOOK_SECRETS).slack }])
    expect(run.signingKey('discord')).toContain('PRIVATE KEY')
    expect(run.signingKey('slack')).toBeUndefined()
    expect(run.tokenKeys().map(({ kid }) => kid)).toEqual(['local'])
  })

  it('include the given settings, in place of the stored ones', () => {
    const run = localRun({ ...there, WEBHOOK_SECRETS: '{"slack":"given"}', JWT_KEYS: OTHER })
    expect([...run.webhookSecrets()]).toEqual([['slack', [{ value: 'given', label: 'slack#1' }]]])
    expect(run.signingKey('discord')).toBeUndefined()
    expect(run.tokenKeys().map(({ kid }) => kid)).toEqual(['other'])
  })

  it('include the private keys of those that are stored', () => {
    const { discord } = JSON.parse(KEPT.WEBHOOK_SECRETS)
    const given = (secret: string) => localRun({ ...there, WEBHOOK_SECRETS: JSON.stringify({ discord: secret }) })
    expect(given(discord).signingKey('discord')).toContain('PRIVATE KEY')
    expect(given('0'.repeat(64)).signingKey('discord')).toBeUndefined()
  })

  it('are empty before its first start, or without stored data', () => {
    for (const DATA_DIR of [empty.path, 'memory']) expect(localRun({ DATA_DIR }).webhookSecrets().size).toBe(0)
    expect(() => localRun({ DATA_DIR: empty.path }).tokenKeys()).toThrow(`No key in ${empty.path}: npm start makes one`)
    expect(() => localRun({ DATA_DIR: 'memory' }).tokenKeys()).toThrow('DATA_DIR=memory leaves no key')
  })

  it('include every secret of a list, the newest first', () => {
    writeFileSync(join(empty.path, 'secrets.json'), '{"JWT_KEYS":"k:1","WEBHOOK_SECRETS":{"slack":["new","old"]}}')
    const slack = localRun({ DATA_DIR: empty.path }).webhookSecrets().get('slack')
    expect(slack?.map(({ value }) => value)).toEqual(['new', 'old'])
  })

  it('cannot be read from a wrong file', () => {
    writeFileSync(join(empty.path, 'secrets.json'), '[]')
    expect(() => localRun({ DATA_DIR: empty.path }).webhookSecrets()).toThrow('is wrong at its top')
  })
})
