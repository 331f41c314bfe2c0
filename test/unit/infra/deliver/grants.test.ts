import { describe, expect, it } from 'vitest'
import { GRANTS, rightsOf as givenRights, grantsOf } from '../../../../infra/iam/grants.ts'
import { roleOf } from '../../../../infra/iam/role.ts'
import { allowedBy } from '../../../support/allowed.ts'
import { destinationsIn, EACH_KIND, handlerIn } from '../../../support/destinations.ts'

const grants = grantsOf(destinationsIn(EACH_KIND))

/** What a function may do, but for its own log and traces. */
function rightsOf(name: string, table = grants) {
  const role = roleOf({ logGroup: 'OwnLogGroup', secrets: 'gatehouse/prod', grants: table[name] ?? [] })
  const { OwnLogGroup: _log, '*': _traces, ...rights } = allowedBy(role)
  return rights
}

const STORED = {
  DeliveriesTable: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
  EventsTable: ['dynamodb:BatchGetItem', 'dynamodb:GetItem'],
}
const TOLD = { MessagesTable: ['dynamodb:PutItem'] }
const SERVED = ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage', 'sqs:SendMessage']

it('the function of destinations reads their queues and secrets, and can call their targets only', () => {
  expect(rightsOf('deliver')).toEqual({
    ...STORED,
    ...TOLD,
    ...{ DeliverCrmEuQueue: SERVED, DeliverLedgerQueue: SERVED, DeliverBusQueue: SERVED },
    'secret/deliveries': ['secretsmanager:GetSecretValue'],
    [EACH_KIND.ledger.queue]: ['sqs:SendMessage'],
    [EACH_KIND.bus.bus]: ['events:PutEvents'],
  })
})

it('a function of destinations without a secret reads none', () => {
  const { ledger, bus } = EACH_KIND
  expect(rightsOf('deliver', grantsOf(destinationsIn({ ledger, bus })))).not.toHaveProperty('secret/deliveries')
})

describe('the function of a handler reads its own queue, and has the rights that the configuration grants', () => {
  const rights = [{ actions: ['ses:SendEmail'], resources: ['*'] }]
  const secret = { 'secret/handlers/shop/order-paid': ['secretsmanager:GetSecretValue'] }

  it.each([
    ['without secrets', {}, {}],
    ['with a secret', { secrets: ['mail'] }, secret],
  ])('%s', (_, settings, own) => {
    const table = grantsOf(handlerIn(settings))
    expect(rightsOf('deliverShopOrderPaid', table)).toEqual({
      ...STORED,
      ...TOLD,
      DeliverShopOrderPaidQueue: SERVED,
      ...own,
    })
  })

  it('with rights', () => {
    const given = givenRights(handlerIn({ rights }))
    expect(given).toEqual({ deliverShopOrderPaid: rights })
    const { Properties } = roleOf({
      logGroup: 'Own',
      secrets: '',
      grants: [],
      rights: given['deliverShopOrderPaid'] ?? [],
    })
    expect(Properties.Policies[0]?.PolicyDocument.Statement.at(-1)).toEqual({
      Effect: 'Allow',
      Action: ['ses:SendEmail'],
      Resource: ['*'],
    })
  })

  it('the function that tests destinations can read no secret of a handler', () => {
    expect(grantsOf(handlerIn({ secrets: ['mail'] }))['destinationTest']).toEqual(GRANTS['destinationTest'])
  })
})

const SENT = {
  DeliverCrmEuQueue: ['sqs:SendMessage'],
  DeliverLedgerQueue: ['sqs:SendMessage'],
  DeliverBusQueue: ['sqs:SendMessage'],
}

it('the scan finds waiting deliveries, and sends hints to every queue', () => {
  expect(rightsOf('deliveryScan')).toEqual({
    DeliveriesTable: [
      'dynamodb:BatchGetItem',
      'dynamodb:GetItem',
      'dynamodb:PutItem',
      'dynamodb:Query',
      'dynamodb:UpdateItem',
    ],
    'DeliveriesTable/index/due': ['dynamodb:Query'],
    ...TOLD,
    ...SENT,
  })
})

/** What a function may do only because there are destinations. */
function added(name: string) {
  const before: Readonly<Record<string, readonly string[]>> = rightsOf(name, GRANTS)
  const rights = Object.entries(rightsOf(name)).map(
    ([place, actions]) => [place, actions.filter((action) => !before[place]?.includes(action))] as const,
  )
  return Object.fromEntries(rights.filter(([, actions]) => actions.length > 0))
}

const STORED_WITH_EVENT = { DeliveriesTable: ['dynamodb:PutItem'], ...SENT }

it('the functions that store webhooks may store deliveries, those that order deliveries may send hints, and no other function has a new right', () => {
  const all = Object.keys(GRANTS).map((name) => [name, added(name)] as const)
  expect(Object.fromEntries(all.filter(([, rights]) => Object.keys(rights).length > 0))).toEqual({
    destinationTest: expect.anything(),
    destinations: { 'secret/deliveries': ['secretsmanager:GetSecretValue'] },
    replayStep: SENT,
    webhookEventDeliveryRetry: SENT,
    webhookEventRelease: SENT,
    webhookGithub: STORED_WITH_EVENT,
    webhookOrderStatus: STORED_WITH_EVENT,
    webhookPayment: STORED_WITH_EVENT,
    webhookProvider: STORED_WITH_EVENT,
    webhookStripe: STORED_WITH_EVENT,
  })
})

it('a test may call every target', () => {
  expect(rightsOf('destinationTest')).toMatchObject({
    'secret/deliveries': ['secretsmanager:GetSecretValue'],
    [EACH_KIND.ledger.queue]: ['sqs:SendMessage'],
    [EACH_KIND.bus.bus]: ['events:PutEvents'],
  })
})

it('without destinations, no function has a new right', () => {
  expect(grantsOf([])).toBe(GRANTS)
})

it('who tells of itself may store events of the source gatehouse, and of no other', () => {
  const told = destinationsIn({ crm: { ...EACH_KIND.bus, from: { gatehouse: ['**'] } } })
  const { Properties } = roleOf({ logGroup: 'Own', secrets: '', grants: grantsOf(told)['deliver'] ?? [] })
  const statements = Properties.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
  const stores = statements.filter(
    ({ Action, Resource }) => Action.includes('dynamodb:PutItem') && JSON.stringify(Resource).includes('EventsTable'),
  )
  expect(stores.map(({ Condition }) => Condition)).toEqual([
    { 'ForAllValues:StringLike': expect.objectContaining({ 'dynamodb:LeadingKeys': ['gatehouse'] }) },
  ])
})
