import { type Message, pick, textIn } from '../find.ts'
import { type Provider, retriesFor } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { token } from '../schemes/token.ts'

const HEADER = 'x-telegram-bot-api-secret-token'

export const provider = {
  /** core.telegram.org/bots/api, "setWebhook": `secret_token`. */
  scheme: { header: HEADER, ...token(({ headers }) => headers[HEADER]) },
  identity: [{ rule: 'id+body', id: textIn('update_id') }],
  /** core.telegram.org/bots/api, "Getting updates": they are kept for 24 hours. */
  retries: retriesFor(24),
  type: typeOf,
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['message', 'edited_message', 'callback_query'],
  draft: (type, { id, at }) => ({
    body: {
      update_id: Number.parseInt(id.slice(0, 8), 16),
      [type]: { message_id: 1, date: at.getTime() / 1000, from: { id: 1337, is_bot: false }, text: 'Hello' },
    },
  }),
  prove: ({ text }) => ({ headers: { [HEADER]: text } }),
  described: { header: '`X-Telegram-Bot-Api-Secret-Token`', secret: 'text', signed: 'nothing' },
})

/** The same page, "Update": beside its number, an update has one member, named by its type. */
function typeOf({ payload }: Message): string | undefined {
  const isUpdate = pick(payload, ['update_id']) !== undefined
  return isUpdate ? Object.keys(Object(payload)).find((name) => name !== 'update_id') : undefined
}
