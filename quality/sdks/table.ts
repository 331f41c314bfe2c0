import { Buffer } from 'node:buffer'
import { createPublicKey } from 'node:crypto'
import { EventEmitter } from 'node:events'
import https from 'node:https'
import { Readable } from 'node:stream'
import { hmacValidator } from '@adyen/api-library'
import { verifyWebhook } from '@clerk/backend/webhooks'
import { Signature } from '@hubspot/api-client'
import { validateSignature } from '@line/bot-sdk'
import { LinearWebhookClient } from '@linear/sdk/webhooks'
import { signWebhookPayload, verifyWebhookSignature } from '@notionhq/client'
import * as github from '@octokit/webhooks-methods'
import { Paddle } from '@paddle/paddle-node-sdk'
import { EventWebhook } from '@sendgrid/eventwebhook'
import '@shopify/shopify-api/adapters/web-api'
import { ApiVersion, LogSeverity, shopifyApi } from '@shopify/shopify-api'
// Bolt's main file starts with a peer of its socket mode, which is not installed.
import { verifySlackRequest } from '@slack/bolt/dist/receivers/verify-request.js'
import { WorkOS } from '@workos-inc/node'
import { basicAuthValidator } from 'chargebee'
import { verifyKey } from 'discord-interactions'
import { OAuth2Client } from 'google-auth-library'
import { OpenAI } from 'openai'
import Razorpay from 'razorpay'
import { Resend } from 'resend'
import MessageValidator from 'sns-validator'
import { WebhooksHelper } from 'square'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Stripe } from 'stripe'
import { Webhook as SvixWebhook } from 'svix'
import twilio from 'twilio'
import { SAMPLES } from '../../lib/webhooks/providers/samples.ts'
import { secondsOf } from '../../lib/webhooks/sample.ts'
import type { Call, Sdk } from './sdk.ts'

type AdyenValues = { readonly notificationItems: readonly [{ readonly NotificationRequestItem: AdyenItem }] }
type AdyenItem = Parameters<InstanceType<typeof hmacValidator>['validateHMAC']>[0]

const textOf = ({ body }: Pick<Call, 'body'>) => body.toString()
const { isForm: _, ...TWILIO_JSON } = SAMPLES.twilio
const adyenItem = (values: AdyenValues) => values.notificationItems[0].NotificationRequestItem

/** Their constructors want a key for the provider's API, which is never called. */
const NO_KEY = 'none'
const openai = new OpenAI({ apiKey: NO_KEY })
const paddle = new Paddle(NO_KEY)
const workos = new WorkOS(NO_KEY)
const hmacs = new hmacValidator()
const resend = new Resend(NO_KEY)
const sendgrid = new EventWebhook()

/** The packages that providers publish for Node, as their own pages have them used. */
export const SDKS: readonly Sdk[] = [
  {
    package: 'stripe',
    source: 'stripe',
    seconds: 300,
    sign: ({ body }, { secret, signedAt }) => ({
      headers: {
        'stripe-signature': Stripe.webhooks.generateTestHeaderString({
          payload: body.toString(),
          secret,
          timestamp: secondsOf(signedAt),
        }),
      },
    }),
    accepts: ({ headers, body }, secret) =>
      Stripe.webhooks.constructEvent(body, headers['stripe-signature'] ?? '', secret),
  },
  {
    package: '@octokit/webhooks-methods',
    source: 'github',
    sign: async (message, { secret }) => ({
      headers: { 'x-hub-signature-256': await github.sign(secret, textOf(message)) },
    }),
    accepts: (call, secret) => github.verify(secret, textOf(call), call.headers['x-hub-signature-256'] ?? ''),
  },
  {
    package: 'svix',
    source: 'svix',
    seconds: 300,
    sign: ({ headers, body }, { secret, signedAt }) => ({
      headers: {
        'svix-timestamp': String(secondsOf(signedAt)),
        'svix-signature': new SvixWebhook(secret).sign(headers['svix-id'] ?? '', signedAt, body),
      },
    }),
    accepts: ({ headers, body }, secret) => new SvixWebhook(secret).verify(body, headers),
  },
  {
    package: 'standardwebhooks',
    source: 'standard-webhooks',
    seconds: 300,
    sign: ({ headers, body }, { secret, signedAt }) => ({
      headers: {
        'webhook-timestamp': String(secondsOf(signedAt)),
        'webhook-signature': new StandardWebhook(secret).sign(headers['webhook-id'] ?? '', signedAt, body),
      },
    }),
    accepts: ({ headers, body }, secret) => new StandardWebhook(secret).verify(body, headers),
  },
  {
    package: '@clerk/backend',
    source: 'clerk',
    seconds: 300,
    accepts: ({ url, headers, body }, signingSecret) =>
      verifyWebhook(new Request(url, { method: 'POST', headers, body: new Uint8Array(body) }), { signingSecret }),
  },
  {
    package: 'resend',
    source: 'resend',
    seconds: 300,
    accepts: (call, webhookSecret) =>
      resend.webhooks.verify({
        payload: textOf(call),
        headers: {
          id: call.headers['svix-id'] ?? '',
          timestamp: call.headers['svix-timestamp'] ?? '',
          signature: call.headers['svix-signature'] ?? '',
        },
        webhookSecret,
      }),
  },
  {
    package: 'openai',
    source: 'openai',
    seconds: 300,
    accepts: (call, secret) => openai.webhooks.unwrap(textOf(call), call.headers, secret),
  },
  {
    package: 'twilio',
    source: 'twilio',
    kind: 'form',
    queries: ['?bar=a%20b', '?b=/x', '?b=1,2', '?b', '?b=a:b', '?b=%c3%a9'],
    sign: (message, { secret, url }) => ({
      headers: { 'x-twilio-signature': twilio.getExpectedTwilioSignature(secret, url, fieldsOf(message)) },
    }),
    accepts: (call, secret) =>
      twilio.validateRequest(secret, call.headers['x-twilio-signature'] ?? '', call.url, fieldsOf(call)),
  },
  {
    package: 'twilio',
    source: 'twilio',
    kind: 'JSON',
    sample: TWILIO_JSON,
    queries: ['?bar=a%20b', '?b=/x', '?b=%c3%a9'],
    sign(message, { secret, url }) {
      const hash = `bodySHA256=${twilio.getExpectedBodyHash(textOf(message))}`
      const signed = `${url}${url.includes('?') ? '&' : '?'}${hash}`
      return {
        url: signed,
        headers: { 'x-twilio-signature': twilio.getExpectedTwilioSignature(secret, signed, {}) },
      }
    },
    accepts: (call, secret) =>
      twilio.validateRequestWithBody(secret, call.headers['x-twilio-signature'] ?? '', call.url, textOf(call)),
  },
  {
    package: '@paddle/paddle-node-sdk',
    source: 'paddle',
    seconds: 5,
    accepts: (call, secret) =>
      paddle.webhooks.isSignatureValid(textOf(call), secret, call.headers['paddle-signature'] ?? ''),
  },
  {
    package: '@notionhq/client',
    source: 'notion',
    sign: async (message, { secret }) => ({
      headers: {
        'x-notion-signature': await signWebhookPayload({ body: textOf(message), verificationToken: secret }),
      },
    }),
    accepts: (call, verificationToken) =>
      verifyWebhookSignature({ body: textOf(call), signature: call.headers['x-notion-signature'], verificationToken }),
  },
  {
    package: 'razorpay',
    source: 'razorpay',
    accepts: (call, secret) =>
      Razorpay.validateWebhookSignature(textOf(call), call.headers['x-razorpay-signature'] ?? '', secret),
  },
  {
    package: '@adyen/api-library',
    source: 'adyen',
    sign(message, { secret }) {
      const values = JSON.parse(textOf(message))
      const item = adyenItem(values)
      item.additionalData = { hmacSignature: hmacs.calculateHmac(item, secret) }
      return { body: Buffer.from(JSON.stringify(values)) }
    },
    accepts: (call, secret) => hmacs.validateHMAC(adyenItem(JSON.parse(textOf(call))), secret),
  },
  {
    package: '@adyen/api-library',
    source: 'adyen-platform',
    sign: (message, { secret }) => ({ headers: { hmacsignature: hmacs.calculateHmac(textOf(message), secret) } }),
    accepts: (call, secret) => hmacs.validateHMACSignature(secret, call.headers['hmacsignature'] ?? '', textOf(call)),
  },
  {
    package: '@slack/bolt',
    source: 'slack',
    seconds: 300,
    accepts: (call, signingSecret) =>
      verifySlackRequest({
        signingSecret,
        body: textOf(call),
        headers: {
          'x-slack-signature': call.headers['x-slack-signature'] ?? '',
          'x-slack-request-timestamp': Number(call.headers['x-slack-request-timestamp']),
        },
      }),
  },
  {
    package: '@sendgrid/eventwebhook',
    source: 'sendgrid',
    seconds: Number.POSITIVE_INFINITY,
    accepts: ({ headers, body }, secret) =>
      sendgrid.verifySignature(
        sendgrid.convertPublicKeyToECDSA(secret),
        body,
        headers['x-twilio-email-event-webhook-signature'] ?? '',
        headers['x-twilio-email-event-webhook-timestamp'] ?? '',
      ),
  },
  {
    package: 'square',
    source: 'square',
    queries: ['?bar=a%20b', '?b=/x', '?b=%c3%a9'],
    accepts: (call, signatureKey) =>
      WebhooksHelper.verifySignature({
        requestBody: textOf(call),
        signatureHeader: call.headers['x-square-hmacsha256-signature'] ?? '',
        signatureKey,
        notificationUrl: call.url,
      }),
  },
  {
    package: '@workos-inc/node',
    source: 'workos',
    seconds: 180,
    sign: async (message, { secret, signedAt }) => {
      const signature = await workos.webhooks.computeSignature(signedAt.getTime(), textOf(message), secret)
      return { headers: { 'workos-signature': `t=${signedAt.getTime()}, v1=${signature}` } }
    },
    accepts: (call, secret) =>
      workos.webhooks.verifyHeader({
        payload: textOf(call),
        sigHeader: call.headers['workos-signature'] ?? '',
        secret,
      }),
  },
  {
    package: '@linear/sdk',
    source: 'linear',
    seconds: 60,
    accepts: ({ headers, body }, secret) =>
      new LinearWebhookClient(secret).verify(body, headers['linear-signature'] ?? ''),
  },
  {
    package: '@line/bot-sdk',
    source: 'line',
    accepts: ({ headers, body }, secret) => validateSignature(body, secret, headers['x-line-signature'] ?? ''),
  },
  {
    package: '@hubspot/api-client',
    source: 'hubspot',
    seconds: 300,
    queries: ['?bar=a%20b', '?b=/x', '?b=%c3%a9'],
    sign(message, { secret, url, signedAt }) {
      const timestamp = signedAt.getTime()
      const options = { signature: '', clientSecret: secret, requestBody: textOf(message), url, timestamp }
      return {
        headers: {
          'x-hubspot-request-timestamp': String(timestamp),
          'x-hubspot-signature-v3': Signature.getSignature('POST', 'v3', options),
        },
      }
    },
    accepts: (call, clientSecret) =>
      Signature.isValid({
        signatureVersion: 'v3',
        signature: call.headers['x-hubspot-signature-v3'] ?? '',
        method: 'POST',
        clientSecret,
        requestBody: textOf(call),
        url: call.url,
        timestamp: Number(call.headers['x-hubspot-request-timestamp']),
      }),
  },
  {
    package: 'discord-interactions',
    source: 'discord',
    seconds: Number.POSITIVE_INFINITY,
    accepts: ({ headers, body }, publicKey) =>
      verifyKey(body, headers['x-signature-ed25519'] ?? '', headers['x-signature-timestamp'] ?? '', publicKey),
  },
  {
    package: '@shopify/shopify-api',
    source: 'shopify',
    async accepts(call, apiSecretKey) {
      const shopify = shopifyApi({
        apiKey: NO_KEY,
        apiSecretKey,
        apiVersion: ApiVersion.October26,
        hostName: 'localhost',
        isEmbeddedApp: false,
        logger: { level: LogSeverity.Error },
      })
      const rawRequest = new Request(call.url, { method: 'POST', headers: call.headers })
      return (await shopify.webhooks.validate({ rawBody: textOf(call), rawRequest })).valid
    },
  },
  {
    package: 'sns-validator',
    source: 'sns',
    accepts(call, secret) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      serveCertificate(secret.replace(/^\S+ /, ''))
      new MessageValidator().validate(textOf(call), (error) => (error ? reject(error) : resolve()))
      return promise
    },
  },
  {
    package: 'google-auth-library',
    source: 'google-pubsub',
    isBodyUnsigned: true,
    seconds: 3600 + 300,
    accepts(call, secret) {
      const [, audience = '', key = '{}'] = /^\S+ (\S+) (.+)$/.exec(secret) ?? []
      const pem = createPublicKey({ key: JSON.parse(key), format: 'jwk' }).export({ type: 'spki', format: 'pem' })
      const token = (call.headers['authorization'] ?? '').replace('Bearer ', '')
      const certificates = { gatehouse: pem.toString() }
      return new OAuth2Client().verifySignedJwtWithCertsAsync(token, certificates, audience, [
        'https://accounts.google.com',
      ])
    },
  },
  {
    package: 'chargebee',
    source: 'chargebee',
    isBodyUnsigned: true,
    accepts: ({ headers }, secret) => basicAuthValidator((...pair) => pair.join(':') === secret)(headers),
  },
]

/** The validator of SNS fetches the certificate by https. */
function serveCertificate(pem: string): void {
  https.get = ((_url: string, answered: (response: unknown) => void) => {
    answered(Object.assign(Readable.from([pem]), { statusCode: 200 }))
    return new EventEmitter()
  }) as unknown as typeof https.get
}

function fieldsOf(message: Pick<Call, 'body'>): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(textOf(message)))
}
