import { elementsOf, first, pick, shared, valueAt } from '../find.ts'
import { type BatchItem, itemOf } from '../identity.ts'
import { type Provider, retriesFor } from '../provider.ts'
import { type ProviderSample, rewritten } from '../sample.ts'
import { readText } from '../schemes/encoding.ts'
import { TOKEN } from '../schemes/methods.ts'
import { jsonOf, scannerOf } from '../schemes/scan.ts'
import { demandFewBytes, OF_ANY_AGE, type SignatureScheme } from '../schemes/scheme.ts'

const scan = scannerOf([['value', '0', 'clientState']])

const notifications = (payload: unknown) => elementsOf(valueAt(payload, ['value']))

/**
 * learn.microsoft.com/graph/change-notifications-delivery-webhooks, "Process the change notification": nothing is signed;
 * each notification has the `clientState` of its subscription, and one call may hold those of several.
 */
const scheme: SignatureScheme = {
  readsBody: true,
  methods: [TOKEN],
  read(call) {
    demandFewBytes(call)
    const { body } = call
    const [state = ''] = scan(body)
    if (state === '') return undefined
    return {
      method: TOKEN,
      signatures: [readText(state)],
      signed: () => [],
      covers: 'nothing',
      confirm() {
        const states = new Set(notifications(jsonOf(body)).map((one) => pick(one, ['clientState'])))
        const further = [...states].flatMap((one) => (one ? [readText(one)] : []))
        return further.length > 0 && further.length === states.size ? { further } : undefined
      },
    }
  },
  ...OF_ANY_AGE,
}

export const provider = {
  scheme,
  /** A notification says that something has changed, in the same words each time. */
  identity: [{ rule: 'always-new', items }],
  /** The same page, "Retry logic". */
  retries: retriesFor(4),
  type: first(shared(['value'], 'changeType'), shared(['value'], 'lifecycleEvent')),
  /** The same page, "NotificationUrl validation". */
  echo: 'validationToken',
} as const satisfies Provider

function items(payload: unknown): readonly BatchItem[] {
  return notifications(payload).map((one) =>
    itemOf(pick(one, ['id']), pick(one, ['changeType']) ?? pick(one, ['lifecycleEvent'])),
  )
}

interface Notifications {
  readonly value: readonly object[]
}

export const sample = (): ProviderSample => ({
  events: ['updated', 'created', 'deleted'],
  draft: (changeType, { id }) => ({
    body: {
      value: [
        { subscriptionId: id, changeType, resource: 'users/gatehouse/messages/1', tenantId: id, resourceData: { id } },
      ],
    },
  }),
  prove: ({ text: clientState }, { body }) => ({
    body: rewritten(body, (values) => ({
      ...values,
      value: (values as unknown as Notifications).value.map((one) => ({ ...one, clientState })),
    })),
  }),
  described: { header: 'in the body', secret: 'text, the `clientState` of the subscriptions', signed: 'nothing' },
})
