import type { Callers } from '../callers.ts'
import type { RequestCases } from './case.ts'
import { get } from './requests.ts'

/** What providers send, and ask before. */
export function webhooks({ webhook }: Callers): RequestCases {
  return {
    webhookPayment: [
      { what: 'a signed body', request: () => webhook('payment'), answer: { status: 200, json: { success: true } } },
      {
        what: 'a signature that came twice',
        request: () => {
          const call = webhook('payment')
          const signature = call.headers?.find(([name]) => name === 'x-signature') ?? ['', '']
          return { ...call, headers: [...(call.headers ?? []), signature] }
        },
        answer: { status: 401 },
      },
      {
        what: 'a signed body without a type, in base64',
        request: () => webhook('payment', () => ({ headers: {} })),
        answer: { status: 200 },
      },
    ],
    webhookOrderStatus: [
      {
        what: 'a signed body',
        request: () => webhook('order-status'),
        answer: { status: 200, json: { success: true } },
      },
    ],
    webhookStripe: [
      { what: 'a signed body', request: () => webhook('stripe'), answer: { status: 200, text: /./ } },
      {
        what: 'a body that was changed on its way',
        request: () => ({ ...webhook('stripe'), body: '{}' }),
        answer: { status: 400 },
      },
    ],
    webhookGithub: [
      { what: 'signed JSON', request: () => webhook('github'), answer: { status: 200 } },
      ...[undefined, true as const].map((asText) => ({
        what: `a signed form ${asText ? 'as text' : 'in base64'}`,
        request: () => {
          const call = webhook('github', ({ headers, body }) => ({
            headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
            body: Buffer.from(new URLSearchParams({ payload: body.toString() }).toString()),
          }))
          return asText ? { ...call, asText } : call
        },
        answer: { status: 200 },
      })),
    ],
    webhookProvider: [
      { what: 'a signed body of anybody', request: () => webhook('demo'), answer: { status: 200 } },
      { what: 'a signed form of Twilio', request: () => webhook('twilio'), answer: { status: 200 } },
    ],
    webhookChallenge: [
      {
        what: 'the question of Dropbox',
        request: () => get('/webhooks/dropbox?challenge=a%20b'),
        answer: { status: 200, text: /^a b$/ },
      },
    ],
  }
}
