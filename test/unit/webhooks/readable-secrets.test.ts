import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../lib/runtime/config.ts'
import { webhookSecretSettings } from '../../../lib/runtime/settings/signing-secrets.ts'
import { secretsReadable } from '../../../lib/webhooks/readable-secrets.ts'
import { KNOWN } from '../../../lib/webhooks/sources/catalog.ts'
import vectors from '../../vectors/webhook-signatures.json' with { type: 'json' }

const judge = (secrets: Readonly<Record<string, readonly string[]>>) =>
  secretsReadable(KNOWN).broken({
    WEBHOOK_SECRETS: new Map(
      Object.entries(secrets).map(([name, values]) => [name, values.map((value) => ({ value }))]),
    ),
  })

describe('K13 a configured secret', () => {
  it.each(['adyen', 'adyen-platform', 'discord', 'plaid', 'postmark', 'sendgrid', 'standard-webhooks', 'supabase'])(
    'of %s has the form of its provider',
    (name) => {
      const secret = vectors.vectors.find(({ id }) => id === `${name}/valid`)?.secret ?? ''
      const text = typeof secret === 'string' ? secret : JSON.stringify(secret)
      expect(judge({ [name]: [text] })).toBeUndefined()
    },
  )

  it('of Standard Webhooks and Svix may be a public key', () => {
    const whpk = vectors.vectors.find(({ id }) => id === 'standard-webhooks-v1a/valid')?.secret as string
    expect(judge({ 'standard-webhooks': [whpk] })).toBeUndefined()
    expect(judge({ svix: ['whsec_YWJj', whpk] })).toBeUndefined()
    expect(judge({ 'standard-webhooks': [whpk.replace('whpk_', 'whsk_')] })).toMatch(/: standard-webhooks$/)
  })

  it('is never that of the service itself, whose events no call brings', () => {
    expect(judge({ gatehouse: ['any text'] })).toBe('WEBHOOK_SECRETS: gatehouse sends no calls, and has no secret')
  })

  it.each(['demo', 'payment', 'stripe', 'github', 'slack', 'gitlab', 'meta.verify'])('of %s is any text', (name) => {
    expect(judge({ [name]: ['any text, ünd more'] })).toBeUndefined()
  })

  it.each([
    ['plaid', '5f3b1c:0a1b2c@sandbox'],
    ['paypal', '8PT597110X687430LKGECATA'],
    ['sns', 'arn:aws:sns:eu-west-1:123456789012:orders'],
    ['google-pubsub', 'push@project.iam.gserviceaccount.com https://hooks.example.com/webhooks/google-pubsub'],
  ])('of %s may contain the ids of the keys: %s', (name, secret) => {
    expect(judge({ [name]: [secret] })).toBeUndefined()
  })

  it.each([
    ['plaid', '5f3b1c:0a1b2c@development'],
    ['sns', 'arn:aws:sqs:eu-west-1:123456789012:orders'],
    ['google-pubsub', 'push@project.iam.gserviceaccount.com'],
    ['adyen', 'no hexadecimal'],
    ['paypal', 'no key'],
    ['svix', 'whsec_no base64'],
    ['postmark', 'no colon'],
    ['adyen-platform', 'no hexadecimal'],
  ])('of %s is refused without its value when its scheme cannot read it', (name, secret) => {
    expect(judge({ demo: ['fine'], [name]: [secret] })).toBe(
      `WEBHOOK_SECRETS: not in the form that its provider uses: ${name}`,
    )
  })

  it('is checked one by one, and all wrong names are reported together', () => {
    expect(judge({ svix: ['whsec_YWJj', 'no'], adyen: ['x'] })).toMatch(/: adyen, svix$/)
  })
})

describe('S9 one key under two names', () => {
  const start = (secrets: object) =>
    loadConfig(webhookSecretSettings, [secretsReadable(KNOWN)], { WEBHOOK_SECRETS: JSON.stringify(secrets) })
  const HEX = '44782def547aaa06c910c43932b1eb0c71fc68d9d0c057550c48ec2acf6ba056'

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['with and without the version', { 'standard-webhooks': 'whsec_YWJj', supabase: 'v1,whsec_YWJj' }],
    ['in the other case', { adyen: HEX.toUpperCase(), 'adyen-platform': HEX }],
    ['as text and in hexadecimal', { adyen: '6162', demo: 'ab' }],
    ['as text and in base64', { svix: 'whsec_YWI=', demo: 'ab' }],
    ['among others', { svix: ['whsec_YWJj', 'whsec_YWJk'], supabase: ['v1,whsec_eHl6', 'v1,whsec_YWJk'] }],
  ])('stops the start, which names both: %s', (_, secrets) => {
    const [one, other] = Object.keys(secrets)
    expect(() => start(secrets)).toThrow(`WEBHOOK_SECRETS: ${one} and ${other} have the same key`)
  })

  it.each<[string, object]>([
    ['one refers to the other', { svix: 'whsec_YWJj', clerk: { sameAs: 'svix' } }],
    ['one name has it twice', { svix: ['whsec_YWJj', 'whsec_YWJj'] }],
    ['two keys differ in one bit', { svix: 'whsec_YWJj', supabase: 'v1,whsec_YWJi' }],
  ])('is none where %s', (_, secrets) => {
    expect(() => start(secrets)).not.toThrow()
  })
})
