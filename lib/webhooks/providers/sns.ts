import { body as bodyAt, pick, textIn } from '../find.ts'
import { type Provider, retriesFor } from '../provider.ts'
import { type ProviderSample, rewritten } from '../sample.ts'
import { readBase64, readInstant } from '../schemes/encoding.ts'
import { RSA_SHA1_PEM, RSA_SHA256_PEM } from '../schemes/methods.ts'
import { certificateIn, type KeyRequest, type Rotation } from '../schemes/rotation.ts'
import { isSame, jsonOf, scannerOf } from '../schemes/scan.ts'
import { demandFewBytes, REFUSALS, type SignatureScheme } from '../schemes/scheme.ts'

/** SNS developer guide, "Message delivery retries": an hour in all. */
const RETRY_SECONDS = 3600

/** The greatest difference between the clocks of sender and receiver. */
const CLOCK_SECONDS = 300

const CONFIRMATION = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']

/** SNS developer guide, "Verifying the signatures of Amazon SNS messages": the signed fields of each type. */
const SIGNED = new Map([
  ['Notification', ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']],
  ['SubscriptionConfirmation', CONFIRMATION],
  ['UnsubscribeConfirmation', CONFIRMATION],
])

const METHODS = new Map([
  ['1', RSA_SHA1_PEM],
  ['2', RSA_SHA256_PEM],
])

const FIELDS = [...new Set([...SIGNED.values()].flat()), 'Signature', 'SignatureVersion']
const PATHS = FIELDS.map((name) => [name])

const scan = scannerOf(PATHS)
const scanKey = scannerOf([['TopicArn'], ['SigningCertURL']])

/** An endpoint of SNS in a region; `sns.s3-us-west-2.amazonaws.com` would be the bucket of a stranger. */
const HOST = /^sns\.[a-z]{2,4}(?:-[a-z]+){1,3}-\d{1,2}\.amazonaws\.com(?:\.cn)?$/
const CERTIFICATE = /^https:\/\/([^/]+)\/SimpleNotificationService-[0-9a-f]{32}\.pem$/

const TOPIC = /^arn:aws[a-z-]{0,16}:sns:[a-z0-9-]{1,32}:\d{12}:[\w-]{1,256}(?:\.fifo)?$/

const rotation: Rotation = {
  isName: (secret) => TOPIC.test(secret),
  keyOf({ body }, topic) {
    const [arn = '', url = ''] = scanKey(body)
    const [, host = ''] = CERTIFICATE.exec(url) ?? []
    if (arn !== topic || !HOST.test(host)) return undefined
    return {
      document: url,
      id: url,
      request: { url },
      keysIn(answer) {
        const certificate = certificateIn(answer)
        return new Map(certificate && [[url, certificate]])
      },
      secretWith: (certificate) => `${topic} ${certificate}`,
    }
  },
}

type Fields = ReadonlyMap<string, string>

/**
 * The signed text: names and values in lines. Only a message may have several lines. All lines after it have fixed
 * places, so no other fields make the same text.
 */
function signedText(fields: Fields): string | undefined {
  const names = SIGNED.get(fields.get('Type') ?? '')?.filter((name) => name !== 'Subject' || fields.get(name))
  const hasBorders = names?.every((name) => name === 'Message' || !fields.get(name)?.includes('\n'))
  return hasBorders ? names?.map((name) => `${name}\n${fields.get(name)}\n`).join('') : undefined
}

/** The key is named by the topic: a certificate signs for all topics of a region. */
const scheme: SignatureScheme = {
  readsBody: true,
  methods: [RSA_SHA256_PEM, RSA_SHA1_PEM],
  rotation,
  read(call) {
    demandFewBytes(call)
    const { body } = call
    const values = scan(body)
    const fields = new Map(FIELDS.map((name, index) => [name, values[index] ?? '']))
    const method = METHODS.get(fields.get('SignatureVersion') ?? '')
    const signature = readBase64(fields.get('Signature') ?? '')
    const signedAt = readInstant(fields.get('Timestamp') ?? '')
    const text = signedText(fields)
    if (!method || !signature || signedAt === undefined || text === undefined) return undefined
    return {
      method,
      signatures: [signature],
      signed: () => [text],
      covers: 'fields',
      fields: SIGNED.get(fields.get('Type') ?? '')?.map((name) => [name]) ?? [],
      confirm: (topic) =>
        topic === fields.get('TopicArn') && isSame(jsonOf(body), PATHS, values) ? { signedAt } : undefined,
    }
  },
  toleranceSeconds: RETRY_SECONDS + CLOCK_SECONDS,
  refusals: REFUSALS,
}

export const provider = {
  scheme,
  identity: [{ rule: 'signed-id', id: bodyAt('MessageId') }],
  retries: retriesFor(RETRY_SECONDS / 3600),
  type: textIn('Type'),
  keptHeaders: ['x-amz-sns-message-type', 'x-amz-sns-subscription-arn'],
  confirmation,
} as const satisfies Provider

/**
 * SNS developer guide, "Confirming the subscription": the address that a signed call names, built from the signed topic
 * and token instead of copied.
 */
function confirmation(payload: unknown): KeyRequest | undefined {
  const [type, topic = '', token = ''] = ['Type', 'TopicArn', 'Token'].map((name) => pick(payload, [name]))
  const address = pick(payload, ['SubscribeURL']) ?? ''
  if (type !== 'SubscriptionConfirmation' || !URL.canParse(address)) return undefined
  const { protocol, host, username, password, pathname, searchParams: asked } = new URL(address)
  const isSns = protocol === 'https:' && HOST.test(host) && pathname === '/' && `${username}${password}` === ''
  const isAbout = asked.get('TopicArn') === topic && asked.get('Token') === token && token !== ''
  if (!isSns || !isAbout || asked.get('Action') !== 'ConfirmSubscription') return undefined
  const query = new URLSearchParams({ Action: 'ConfirmSubscription', TopicArn: topic, Token: token })
  return { url: `https://${host}/?${query}` }
}

const SAMPLE_HOST = 'https://sns.eu-west-1.amazonaws.com'
const SAMPLE_TOPIC = 'arn:aws:sns:eu-west-1:123456789012:gatehouse'

export const sample = (): ProviderSample => ({
  events: ['Notification', 'UnsubscribeConfirmation'],
  keyName: SAMPLE_TOPIC,
  draft: (Type, { id }) => ({
    headers: { 'content-type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': Type },
    body: {
      Type,
      MessageId: id,
      TopicArn: SAMPLE_TOPIC,
      Message: 'Hello\nagain',
      ...(Type !== 'Notification' && { Token: '2336412f37', SubscribeURL: `${SAMPLE_HOST}/` }),
      SigningCertURL: `${SAMPLE_HOST}/SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem`,
    },
  }),
  prove: ({ base64: Signature, instant: Timestamp }, { body }) => ({
    body: rewritten(body, (values) => ({ ...values, Timestamp, SignatureVersion: '2', Signature })),
  }),
  described: {
    header: 'in the body',
    secret: 'ARN of the topic; or ARN, blank, certificate or public key in PEM',
    signed: 'six or seven fields, with the time (3900 s)',
  },
})
