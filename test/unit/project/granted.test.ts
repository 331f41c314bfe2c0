import { describe, expect, it } from 'vitest'
import { grantedWith, notGranted, unusedByContainer, unusedByFunctions } from '../../support/calls/granted.ts'
import { CONTAINER } from '../../support/calls/recording.ts'

const GRANTED = grantedWith([])

const call = (by: string, action: string, resource: string) => ({ by, action, resource })

describe('a call is refused unless the role of its caller allows it', () => {
  it.each([
    call('webhookPayment', 'dynamodb:UpdateItem', 'PaymentsTable'),
    call('retryScan', 'dynamodb:Query', 'EventsTable/index/due'),
    call('oauth2Start', 'secretsmanager:GetSecretValue', 'secret/oauth2'),
    call(CONTAINER, 'sqs:DeleteQueue', 'InstanceQueues'),
    call(CONTAINER, 'sqs:ListQueues', '*'),
    call(CONTAINER, 'dynamodb:Query', 'EventsTable/index/byTime'),
    call(CONTAINER, 'dynamodb:DeleteItem', 'SessionsTable'),
  ])('$by may $action on $resource', (allowed) => {
    expect(notGranted([allowed], GRANTED)).toEqual([])
  })

  it.each([
    ['another table', call('webhookPayment', 'dynamodb:UpdateItem', 'OrdersTable')],
    ['another action', call('webhookPayment', 'dynamodb:DeleteItem', 'PaymentsTable')],
    ['a table for its index', call('retryScan', 'dynamodb:Query', 'EventsTable')],
    ['another index', call('retryScan', 'dynamodb:Query', 'EventsTable/index/byTime')],
    ['another secret', call('oauth2Start', 'secretsmanager:GetSecretValue', 'secret/webhooks')],
    ['a function without grants', call('publicHello', 'dynamodb:GetItem', 'UsersTable')],
    ['a foreign queue', call(CONTAINER, 'sqs:DeleteQueue', 'RetryQueue')],
    ['a call of an unknown form', call('webhookPayment', 'dynamodb:ExecuteStatement', '*')],
  ])('%s', (_, refused) => {
    expect(notGranted([refused], GRANTED)).toEqual([`${refused.by}: ${refused.action} on ${refused.resource}`])
  })

  const update = (by: string, resource: string, attributes: readonly string[]) => ({
    ...call(by, 'dynamodb:UpdateItem', resource),
    attributes,
  })

  it.each([
    update('authLogin', 'UsersTable', ['passwordHash', 'uid']),
    update('logout', 'UsersTable', ['tokensValidAfter', 'uid']),
    update('adminSecure', 'SessionsTable', ['lastSeenAt', 'sessionKey', 'ttl']),
    update('webhookPayment', 'PaymentsTable', ['anything', 'status']),
    { ...update('liveTicket', 'SessionsTable', ['endsAt', 'opener', 'sessionKey', 'ttl']), action: 'dynamodb:PutItem' },
    {
      ...update('loginPasskeyOptions', 'SessionsTable', ['challenge', 'endsAt', 'sessionKey', 'ttl']),
      action: 'dynamodb:PutItem',
    },
  ])('$by may update $attributes in the $resource', (allowed) => {
    expect(notGranted([allowed], GRANTED)).toEqual([])
  })

  it.each([
    update('authLogin', 'UsersTable', ['passwordHash', 'roles', 'uid']),
    update('authLogin', 'UsersTable', ['enabled', 'uid']),
    update('authLogin', 'UsersTable', ['tokensValidAfter', 'uid']),
    update('authLogin', 'UsersTable', ['*', 'passwordHash', 'uid']),
    update('logout', 'UsersTable', ['passwordHash', 'uid']),
    update('adminSecure', 'SessionsTable', ['roles', 'sessionKey']),
    update('adminSecure', 'SessionsTable', ['sessionKey', 'uid']),
    { ...update('liveTicket', 'SessionsTable', ['sessionKey', 'ttl', 'uid']), action: 'dynamodb:PutItem' },
    { ...update('loginPasskeyOptions', 'SessionsTable', ['sessionKey', 'ttl', 'uid']), action: 'dynamodb:PutItem' },
  ])('K11 $by may not update $attributes in the $resource', (refused) => {
    const { by, action, resource, attributes } = refused
    expect(notGranted([refused], GRANTED)).toEqual([
      `${by}: ${action} on ${resource}, touching ${attributes.join(', ')}`,
    ])
  })

  it('functions of the local run have no role', () => {
    expect(notGranted([call('testEvents', 'dynamodb:GetItem', 'UsersTable')], GRANTED)).toEqual([])
  })
})

describe('an unused right is listed', () => {
  it('of a shared group, until one of its functions uses it', () => {
    const listed = 'accountPassword, loginForm, loginPasskey, oauth2Callback: dynamodb:PutItem on SessionsTable'
    const use = call('oauth2Callback', 'dynamodb:PutItem', 'SessionsTable')
    expect(unusedByFunctions([], 'others', GRANTED).shared).toContain(listed)
    expect(unusedByFunctions([{ ...use, by: 'logout' }], 'others', GRANTED).shared).toContain(listed)
    expect(unusedByFunctions([use], 'others', GRANTED).shared).not.toContain(listed)
  })

  it('of one function, until this function uses it', () => {
    const listed = 'replay: dynamodb:GetItem on ReplaysTable'
    const use = call('replay', 'dynamodb:GetItem', 'ReplaysTable')
    expect(unusedByFunctions([], 'others', GRANTED).own).toContain(listed)
    expect(unusedByFunctions([{ ...use, by: 'replaysCreate' }], 'others', GRANTED).own).toContain(listed)
    expect(unusedByFunctions([use], 'others', GRANTED).own).not.toContain(listed)
  })

  it('of the container', () => {
    const use = call(CONTAINER, 'sqs:SendMessage', 'RetryQueue')
    expect(unusedByContainer([], GRANTED)).toContain('container: sqs:SendMessage on RetryQueue')
    expect(unusedByContainer([use], GRANTED)).not.toContain('container: sqs:SendMessage on RetryQueue')
  })

  it('except for logs, traces and queues that Lambda reads; rights on secrets are listed separately', () => {
    const { shared, own } = unusedByFunctions([], 'others', GRANTED)
    expect([...shared, ...own].filter((right) => /logs:|xray:|secret|Receive/.test(right))).toEqual([])
    const secrets = unusedByFunctions(
      [call('ldapUsers', 'secretsmanager:GetSecretValue', 'secret/directory')],
      'secrets',
      GRANTED,
    )
    expect(secrets.own).toEqual([])
    expect(secrets.shared.map((right) => right.replace(/^.* on /, ''))).toEqual([
      'secret/audit',
      'secret/tokens',
      'secret/oauth2',
      'secret/webhooks',
    ])
  })
})
