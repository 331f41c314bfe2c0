import { globSync, readFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { GRANTS } from '../../infra/iam/grants.ts'
import { roleOf } from '../../infra/iam/role.ts'
import { propertiesOf } from '../../test/support/adapter-service.ts'
import { allowedBy, type Calls, type Role } from '../../test/support/allowed.ts'
import { awsCallsOf, commandsOf } from './aws-calls.ts'
import { openCode } from './reachable-code.ts'
import { sourceOf } from './settings-read.ts'

interface Declared {
  readonly handler: string
  readonly events: readonly { readonly sqs?: { readonly arn: string } }[]
}

const code = openCode()
afterAll(() => code.close())

/** What Lambda does with the messages of a queue, in the name of the function (Lambda developer guide, "Using Lambda with Amazon SQS"). */
const CONSUMPTION = ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage']

const OWN = {
  OwnLogGroup: ['logs:CreateLogStream', 'logs:PutLogEvents'],
  '*': ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'],
}

const { functions } = parse(readFileSync('serverless.yml', 'utf8'), { logLevel: 'silent' }) as {
  readonly functions: Readonly<Record<string, Declared>>
}

/** What is asked of AWS by a function's code, and for it. */
function askedFor(declared: Declared): Calls {
  const consumed = declared.events.flatMap(({ sqs }) =>
    sqs ? [[sqs.arn.replace('.Arn', ''), CONSUMPTION] as const] : [],
  )
  const calls = new Map(Object.entries(awsCallsOf(code.reachedFrom(sourceOf(declared.handler)), code)))
  for (const [queue, actions] of consumed) calls.set(queue, [...(calls.get(queue) ?? []), ...actions].sort())
  return Object.fromEntries(calls)
}

it('each row of the table is of a function, and each function has one', () => {
  expect(Object.keys(GRANTS)).toEqual(Object.keys(functions))
})

it.each(Object.entries(functions))('the role of %s allows exactly what its code asks of AWS', (name, declared) => {
  const role = roleOf({ logGroup: 'OwnLogGroup', secrets: 'gatehouse/prod', grants: GRANTS[name] ?? [] })
  expect(allowedBy(role)).toEqual({ ...OWN, ...askedFor(declared) })
})

it('K11 the role of the container allows exactly what its code asks of AWS', () => {
  const { InstanceQueues, ...calls } = awsCallsOf(code.reachedFrom('infra/adapter/main.ts'), code)
  const queues = 'arn:AWS::Partition:sqs:AWS::Region:AWS::AccountId:self:service-sls:stage-adapter-*'
  const role = { Properties: propertiesOf('AdapterTaskRole') } as unknown as Role
  // The template's functions stand as their arguments.
  const allowed = Object.entries(allowedBy(role)).map(([arn, actions]) => [arn.replaceAll(/[{}]|\.Arn/g, ''), actions])
  expect(Object.fromEntries(allowed)).toEqual({ ...calls, [queues]: InstanceQueues })
})

it('whatever an adapter asks of AWS is found in the code of a function or of the container', () => {
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
