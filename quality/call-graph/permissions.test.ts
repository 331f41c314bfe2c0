import { globSync, readFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { deliveryFunctions } from '../../infra/deliver/functions.ts'
import { deliverFunctionOf, deliverQueueOf } from '../../infra/deliver/names.ts'
import { containerGrants, grantsOf } from '../../infra/iam/grants.ts'
import { roleOf, statementsOf } from '../../infra/iam/role.ts'
import type { Target } from '../../lib/deliver/destination.ts'
import { containerRole } from '../../test/support/adapter-service.ts'
import { allowedBy, type Calls } from '../../test/support/allowed.ts'
import { destinationsIn, EACH_KIND } from '../../test/support/destinations.ts'
import { awsCallsOf, commandsOf } from './aws-calls.ts'
import { openCode } from './reachable-code.ts'
import { sourceOf } from './settings-read.ts'

interface Declared {
  readonly handler: string
  readonly events: readonly { readonly sqs?: { readonly arn: QueueArn } }[]
}

/** A tag that stands for its argument, or a function of CloudFormation. */
type QueueArn = string | { readonly 'Fn::GetAtt': readonly string[] }

const code = openCode()
afterAll(() => code.close())

/** What Lambda does with the messages of a queue, in the name of the function (Lambda developer guide, "Using Lambda with Amazon SQS"). */
const CONSUMPTION = ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage']

const OWN = {
  OwnLogGroup: ['logs:CreateLogStream', 'logs:PutLogEvents'],
  '*': ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'],
}

const destinations = destinationsIn(EACH_KIND)
const grants = grantsOf(destinations)

const declared = parse(readFileSync('serverless.yml', 'utf8'), { logLevel: 'silent' }) as {
  readonly functions: Readonly<Record<string, Declared>>
}

/** All functions of a stage with a destination of each kind. */
const functions = {
  ...declared.functions,
  ...(deliveryFunctions(destinations, 'gatehouse-prod') as unknown as typeof declared.functions),
}

/** What is asked of AWS by a function's code, and for it. */
function askedFor(name: string, { handler, events }: Declared): Calls {
  const consumed = events.flatMap(({ sqs }) => (sqs ? [queueAt(sqs.arn)] : []))
  const served = destinations.find((destination) => deliverFunctionOf(destination.name) === name)
  const found = awsCallsOf(code.reachedFrom(sourceOf(handler)), code)
  const calls = new Map(Object.entries(served ? servedBy(found, served) : waking(found)))
  for (const queue of consumed) calls.set(queue, [...(calls.get(queue) ?? []), ...CONSUMPTION].sort())
  return Object.fromEntries(calls)
}

function queueAt(arn: QueueArn): string {
  return typeof arn === 'string' ? arn.replace('.Arn', '') : (arn['Fn::GetAtt'][0] ?? '')
}

/** Who wakes the functions of destinations wakes each of them; who tests destinations reaches each of them. */
function waking({ DeliveryQueues: send, DestinationQueue: toQueue, DestinationBus: toBus, ...calls }: Calls): Calls {
  const queues = send ? destinations.map(({ name }) => [deliverQueueOf(name), send]) : []
  const reached = destinations.flatMap(({ target }) => {
    const actions = target.to === 'sqs' ? toQueue : target.to === 'eventbridge' ? toBus : undefined
    return actions ? [[placeOf(target).is, actions]] : []
  })
  return { ...calls, ...Object.fromEntries([...queues, ...reached]) }
}

/** A function that serves a destination wakes itself, and has the code for each kind of destination. */
function servedBy(
  { DeliveryQueues: send = [], ...calls }: Calls,
  { name, target }: (typeof destinations)[number],
): Calls {
  const own = placeOf(target)
  const others = Object.entries(calls).filter(([place]) => place === own.as || !OF_TARGETS.includes(place))
  const renamed = others.map(([place, actions]) => [place === own.as ? own.is : place, actions])
  return { ...Object.fromEntries(renamed), [deliverQueueOf(name)]: send }
}

/** What only some of the kinds need. */
const OF_TARGETS = ['secret/deliveries', 'DestinationQueue', 'DestinationBus']

function placeOf(target: Target): { readonly as: string; readonly is: string } {
  switch (target.to) {
    case 'http':
    case 'handler':
      return { as: 'secret/deliveries', is: 'secret/deliveries' }
    case 'sqs':
      return { as: 'DestinationQueue', is: target.queueArn }
    case 'eventbridge':
      return { as: 'DestinationBus', is: target.busArn }
  }
}

it('each row of the table belongs to a function, and each function has one row', () => {
  expect(Object.keys(grants)).toEqual(Object.keys(functions))
})

it.each(Object.entries(functions))('the role of %s allows exactly the calls of its code to AWS', (name, one) => {
  const role = roleOf({ logGroup: 'OwnLogGroup', secrets: 'gatehouse/prod', grants: grants[name] ?? [] })
  expect(allowedBy(role)).toEqual({ ...OWN, ...askedFor(name, one) })
})

it('K11 the role of the container allows exactly the calls of its code to AWS', () => {
  const { InstanceQueues, ...calls } = awsCallsOf(code.reachedFrom('infra/adapter/main.ts'), code)
  const queues = 'arn:AWS::Partition:sqs:AWS::Region:AWS::AccountId:self:service-sls:stage-adapter-*'
  // The template's functions stand as their arguments.
  const allowed = Object.entries(allowedBy(containerRole(statementsOf(containerGrants(destinations))))).map(
    ([arn, actions]) => [arn.replaceAll(/[{}]|\.Arn/g, ''), actions] as const,
  )
  expect(Object.fromEntries(allowed)).toEqual({ ...waking(calls), [queues]: InstanceQueues })
})

it('every call of an adapter to AWS is found in the code of a function or of the container', () => {
  const entries = [...globSync('functions/**/*.ts'), 'infra/adapter/main.ts']
  const found = new Set(entries.flatMap((file) => commandsOf(code.reachedFrom(file))))
  const written = globSync('lib/adapters/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:new (\w+Command)|(paginate\w+))\(/g)].map(
      ([, command, paginator]) => `${file}: ${command ?? paginator}`,
    ),
  )
  expect(written.length).toBeGreaterThan(25)
  expect(written.filter((command) => !found.has(command))).toEqual([])
})
